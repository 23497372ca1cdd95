import type { CredentialAnswer, CredentialKindAnswer } from '../api/credential.ts'
import type { Client } from './http.ts'
import { readAnswer } from './read-answer.ts'

const shapes = () => import('../api/credential.ts')

export const fetchKinds = (client: Client): Promise<CredentialKindAnswer[]> =>
  readAnswer(
    client.send('GET', 'components-credentials'),
    async () => (await shapes()).credentialKindList,
    'a list of kinds of credential',
  )

/** @throws ServerRefusal with the most similar name, for an unknown kind */
export const fetchKind = (client: Client, name: string): Promise<CredentialKindAnswer> =>
  readAnswer(
    client.send('GET', `components-credentials/${encodeURIComponent(name)}`),
    async () => (await shapes()).credentialKindShape,
    'a kind of credential',
  )

export const fetchCredentials = (client: Client): Promise<CredentialAnswer[]> =>
  readAnswer(
    client.send('GET', 'credentials'),
    async () => (await shapes()).credentialList,
    'a list of credentials',
  )
