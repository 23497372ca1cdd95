import { isObject, type Json } from '../kit/json.ts'
import { Failure } from './failure.ts'
import type { Client } from './http.ts'
import { rowsOf } from './rows.ts'

/** A kind of credential as the server tells it; a secret has the type `password`. */
export type CredentialKind = {
  name: string
  label: string
  inputs: { name: string; label: string; type: string; optional: boolean }[]
}

/** A credential as it is listed: never what is in it. */
export type CredentialAnswer = { id: string; name: string; credentialName: string; updatedDate: string }

export const fetchKinds = async (client: Client): Promise<CredentialKind[]> =>
  rowsOf(await client.send('GET', 'components-credentials')).map(asKind)

/** @throws Refusal with the nearest kind where there is none of this name */
export const fetchKind = async (client: Client, name: string): Promise<CredentialKind> =>
  asKind(await client.send('GET', `components-credentials/${encodeURIComponent(name)}`))

export const fetchCredentials = async (client: Client): Promise<CredentialAnswer[]> =>
  rowsOf(await client.send('GET', 'credentials')) as CredentialAnswer[]

function asKind(value: Json): CredentialKind {
  if (!isObject(value) || !Array.isArray(value.inputs))
    throw new Failure('The server’s answer is no kind of credential')
  return value as unknown as CredentialKind
}
