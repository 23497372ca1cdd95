import { z } from 'zod'
import { moment } from './json.ts'

const scalar = z.union([z.string().max(100_000), z.number(), z.boolean()])

export const credentialBody = z.looseObject({
  name: z.string().trim().min(1).max(200),
  credentialName: z.string().trim().min(1).max(200),
  /** The inputs of the credential by name, such as `openAIApiKey`. */
  plainDataObj: z.record(z.string().max(200), scalar),
})
export const credentialPatch = credentialBody.partial()

export const credentialListQuery = z.object({
  credentialName: z.string().optional(),
  usage: z.enum(['true', 'false']).optional(),
})

const use = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  nodes: z.array(z.object({ nodeId: z.string(), label: z.string(), address: z.string().nullable() })),
})

/** A credential without its secrets. */
export const credentialShape = z.object({
  id: z.string(),
  name: z.string(),
  credentialName: z.string(),
  createdDate: moment,
  updatedDate: moment,
  lastUsedAt: moment.nullable(),
  usedBy: z.array(use).optional(),
  fieldsSet: z.array(z.string()).optional(),
})
export const credentialList = z.array(credentialShape)
export type CredentialAnswer = z.output<typeof credentialShape>

/** A kind of credential, in the form of Flowise: a secret input has the type `password`. */
export const credentialKindShape = z.object({
  name: z.string(),
  label: z.string(),
  inputs: z.array(z.object({ name: z.string(), label: z.string(), type: z.string(), optional: z.boolean() })),
  nodes: z.array(z.object({ name: z.string(), label: z.string() })),
  test: z.object({ address: z.string().nullable() }).nullable(),
})
export const credentialKindList = z.array(credentialKindShape)
export type CredentialKindAnswer = z.output<typeof credentialKindShape>

/** The values to test: for a stored credential, those that replace stored ones. */
export const credentialTestBody = z.looseObject({
  plainDataObj: z.record(z.string().max(200), scalar).optional(),
  address: z.string().max(2000).nullish(),
})

/** What the provider answered. */
export const credentialVerdict = z.object({
  ok: z.boolean(),
  status: z.number().int().nullable(),
  address: z.string(),
  message: z.string(),
  models: z.array(z.string()),
  timeTaken: z.number(),
})
export type CredentialVerdictAnswer = z.output<typeof credentialVerdict>
