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

export const credentialListQuery = z.object({ credentialName: z.string().optional() })

/** A credential without its secrets. */
export const credentialShape = z.object({
  id: z.string(),
  name: z.string(),
  credentialName: z.string(),
  createdDate: moment,
  updatedDate: moment,
})
export const credentialList = z.array(credentialShape)
export type CredentialAnswer = z.output<typeof credentialShape>

/** A kind of credential, in the form of Flowise: a secret input has the type `password`. */
export const credentialKindShape = z.object({
  name: z.string(),
  label: z.string(),
  inputs: z.array(z.object({ name: z.string(), label: z.string(), type: z.string(), optional: z.boolean() })),
})
export const credentialKindList = z.array(credentialKindShape)
export type CredentialKindAnswer = z.output<typeof credentialKindShape>
