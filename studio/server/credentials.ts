import type { CredentialAnswer, CredentialKindAnswer } from '../../src/api/credential.ts'
import { call } from './call.ts'

export type Credential = CredentialAnswer
export type CredentialKind = CredentialKindAnswer

export const listCredentials = (): Promise<Credential[]> => call('/api/v1/credentials')
export const listCredentialKinds = (): Promise<CredentialKind[]> => call('/api/v1/components-credentials')

/** The values are stored encrypted and never come back. */
export const createCredential = (body: {
  name: string
  credentialName: string
  plainDataObj: Record<string, string>
}): Promise<Credential> => call('/api/v1/credentials', { method: 'POST', body })
