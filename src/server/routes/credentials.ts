import {
  credentialBody,
  credentialKindList,
  credentialKindShape,
  credentialList,
  credentialListQuery,
  credentialPatch,
  credentialShape,
} from '../../api/credential.ts'
import { idParams, nameParams } from '../../api/params.ts'
import type { CredentialRow } from '../../contract/credential-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { type CredentialKind, CREDENTIAL_KINDS, findCredentialKind } from '../../nodes/credential-kinds.ts'
import { MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

/** Credentials. Their data is stored encrypted and never returned; only flows use it. */
export function credentialRoutes({ credentials }: Platform): Route[] {
  const answer = { description: 'The credential, without its data', shape: credentialShape }

  async function find(id: string): Promise<CredentialRow> {
    const row = await credentials.find(id)
    if (!row) throw new SluiceError('credential_not_found', { id })
    return row
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/components-credentials',
      summary: 'The kinds of credential that nodes use, with their fields',
      answer: { description: 'The kinds', shape: credentialKindList },
      handle: async () => CREDENTIAL_KINDS.map(presentKind),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/components-credentials/:name',
      summary: 'One kind of credential',
      params: nameParams,
      answer: { description: 'The kind', shape: credentialKindShape },
      handle: async ({ params }) => presentKind(findCredentialKind(params.name)),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/credentials',
      summary: 'All credentials, without their data',
      query: credentialListQuery,
      answer: { description: 'The credentials', shape: credentialList },
      async handle({ query }) {
        const rows = await credentials.list()
        const wanted = query.credentialName
        return rows.filter(({ kind }) => wanted === undefined || kind === wanted).map(present)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/credentials',
      summary: 'Create a credential; its data is stored encrypted and never returned',
      body: credentialBody,
      answer,
      async handle({ body }) {
        const now = Date.now()
        const row = {
          id: randomId(),
          name: body.name,
          kind: body.credentialName,
          createdAt: now,
          updatedAt: now,
        }
        await credentials.insert(row, asTexts(body.plainDataObj))
        return present(row)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/credentials/:id',
      summary: 'One credential, without its data',
      params: idParams,
      answer,
      handle: async ({ params }) => present(await find(params.id)),
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url: '/api/v1/credentials/:id',
      summary: 'Rename a credential or replace its data; absent fields stay as they are',
      params: idParams,
      body: credentialPatch,
      answer,
      async handle({ params, body }) {
        const row = await find(params.id)
        const changed: CredentialRow = {
          ...row,
          name: body.name ?? row.name,
          kind: body.credentialName ?? row.kind,
          updatedAt: Math.max(Date.now(), row.updatedAt),
        }
        await credentials.update(changed, body.plainDataObj && asTexts(body.plainDataObj))
        return present(changed)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url: '/api/v1/credentials/:id',
      summary: 'Delete a credential; flows that use it fail until they get another',
      params: idParams,
      answer: removalAnswer,
      async handle({ params }) {
        await find(params.id)
        await credentials.remove(params.id)
        return removedRows(1)
      },
    }),
  ]
}

const presentKind = ({ name, label, fields }: CredentialKind) => ({
  name,
  label,
  inputs: fields.map(({ name, label, secret, optional = false }) => ({
    name,
    label,
    type: secret ? 'password' : 'string',
    optional,
  })),
})

const asTexts = (data: Record<string, string | number | boolean>) =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]))

const present = ({ id, name, kind, createdAt, updatedAt }: CredentialRow) => ({
  id,
  name,
  credentialName: kind,
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
})
