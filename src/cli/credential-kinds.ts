import type { CredentialAnswer, CredentialKindAnswer } from '../api/credential.ts'
import { didYouMean } from '../kit/suggest.ts'
import { Failure } from './failure.ts'
import { findNamed } from './find-named.ts'
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

/** The credential with this id or name. @throws Failure with the most similar name */
export function findCredential(given: string, rows: CredentialAnswer[]): CredentialAnswer {
  const found = findNamed(rows, given, { kind: 'credentials', nameOf: ({ name }) => name })
  if (found) return found
  const names = rows.map(({ name }) => name)
  throw new Failure(
    `There is no credential ${given}`,
    didYouMean(given, names, 'sluice credential list lists them'),
  )
}
