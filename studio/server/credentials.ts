import type {
  CredentialAnswer,
  CredentialKindAnswer,
  CredentialVerdictAnswer,
} from '../../src/api/credential.ts'
import { call } from './call.ts'

export type Credential = CredentialAnswer
export type CredentialKind = CredentialKindAnswer
export type CredentialVerdict = CredentialVerdictAnswer

const one = (id: string) => `/api/v1/credentials/${encodeURIComponent(id)}`

export const listCredentials = (): Promise<Credential[]> => call('/api/v1/credentials')
export const listCredentialKinds = (): Promise<CredentialKind[]> => call('/api/v1/components-credentials')

/** The values are stored encrypted and never come back. */
export const createCredential = (body: {
  name: string
  credentialName: string
  plainDataObj: Record<string, string>
}): Promise<Credential> => call('/api/v1/credentials', { method: 'POST', body })

/** With the flows that use each. */
export const listUsedCredentials = (): Promise<Credential[]> =>
  call('/api/v1/credentials', { query: { usage: true } })

/** With the names of the fields that have a value. */
export const getCredential = (id: string): Promise<Credential> => call(one(id))

/** Fields that are not in `plainDataObj` stay as they are; an empty text removes one. */
export const changeCredential = (
  id: string,
  body: { name: string; plainDataObj?: Record<string, string> },
): Promise<Credential> => call(one(id), { method: 'PUT', body })

export const deleteCredential = (id: string): Promise<unknown> => call(one(id), { method: 'DELETE' })

type Trial = { plainDataObj?: Record<string, string>; address?: string | undefined }

/** Calls the provider with a stored credential; `plainDataObj` replaces stored values for this call. */
export const testCredential = (id: string, body: Trial): Promise<CredentialVerdict> =>
  call(`${one(id)}/test`, { method: 'POST', body })

/** Calls the provider with values that are not stored. */
export const testCredentialValues = (kind: string, body: Trial): Promise<CredentialVerdict> =>
  call(`/api/v1/components-credentials/${encodeURIComponent(kind)}/test`, { method: 'POST', body })
