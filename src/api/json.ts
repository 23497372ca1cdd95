import { z } from 'zod'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { doc, docs } from './doc.ts'

/** Any JSON value. There is nothing to check: a parsed body contains only JSON. */
export const jsonValue = z.custom<Json>()

/**
 * Any JSON object. Its values are not checked: a parsed body contains only JSON. The object is not copied: a record of zod
 * would leave out the key `__proto__` without an error.
 */
export const jsonObject = z
  .custom<JsonObject>(isObject, 'expected an object')
  .meta({ type: 'object', additionalProperties: {} })

/** A time, ISO 8601 in UTC. */
export const moment = z.iso.datetime()

/** The id of a conversation. It should be unguessable: a caller who knows it can read and change its files. */
export const chatId = z.string().max(255)

/** A password for all files of a request, or passwords by the names of files. */
export const filePassword = z.union([z.string(), z.record(z.string(), z.string())])

/** A number of things: a whole number from 0. */
export const count = z.number().int().min(0)

/** An input that had no effect, and why. */
export const warning = z.object({
  key: z.string().register(docs, doc('The name of the field or override', 'chunksize')),
  reason: z
    .string()
    .register(
      docs,
      doc('Why it had no effect', 'no node of this flow has such an input; did you mean chunkSize?'),
    ),
})
