import { z } from 'zod'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'

/** Any JSON. A body that was parsed holds nothing else: there is nothing to check in it. */
export const jsonValue = z.custom<Json>()

/**
 * A JSON object. A body that was parsed holds nothing but JSON: there is nothing to check in its values. It is given as
 * it is: a record of zod would leave out the key `__proto__` without a word.
 */
export const jsonObject = z
  .custom<JsonObject>(isObject, 'expected an object')
  .meta({ type: 'object', additionalProperties: {} })

/** A moment, ISO 8601 in UTC. */
export const moment = z.iso.datetime()

/** The name of a conversation. A caller who knows it reads and changes what was brought to it: it should be unguessable. */
export const chatId = z.string().max(255)

/** How many of something: a whole number from 0. */
export const count = z.number().int().min(0)

/** What took no effect, and why. */
export const warning = z.object({ key: z.string(), reason: z.string() })
