import { z } from 'zod'
import { count, jsonObject, moment } from './json.ts'

const keyBody = z.looseObject({
  keyName: z.string().trim().min(1).max(200),
  scopes: z.array(z.string()).nullish(),
  /** The name of scopes in Flowise. */
  permissions: z.array(z.string()).nullish(),
  flows: z.array(z.string()).nullish(),
  pins: jsonObject.nullish(),
  quotas: jsonObject.nullish(),
  expiresAt: moment.nullish(),
})

export const newKeyBody = keyBody.extend({ bind: z.array(z.string()).nullish() })
export const keyPatch = keyBody.partial()

export const keyParams = z.object({ key: z.string() })

const quotaAmounts = z.object({
  chunks: count.optional(),
  bytes: count.optional(),
  questions: count.optional(),
})

/** A key in a list, without the key itself. */
export const keyShape = z.object({
  id: z.string(),
  keyName: z.string(),
  scopes: z.array(z.string()),
  flows: z.array(z.string()),
  pins: z.record(z.string(), z.string()).optional(),
  quotas: quotaAmounts.optional(),
  used: quotaAmounts.optional(),
  chatFlows: z.array(z.object({ id: z.string(), flowName: z.string(), slug: z.string() })).optional(),
  createdDate: moment.optional(),
  expiresAt: moment.nullish(),
  lastUsedAt: moment.nullish(),
})

export const keyList = z.array(keyShape)

/** A new key. No other answer contains the key itself. */
export const newKeyShape = keyShape.extend({ apiKey: z.string() })

export type KeyAnswer = z.output<typeof keyShape>
