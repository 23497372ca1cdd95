import {
  credentialBody,
  credentialKindList,
  credentialKindShape,
  credentialList,
  credentialListQuery,
  credentialPatch,
  credentialShape,
  credentialTestBody,
  credentialVerdict,
} from '../../api/credential.ts'
import { idParams, nameParams } from '../../api/params.ts'
import type { CredentialData, CredentialRow } from '../../contract/credential-store.ts'
import type { Catalog } from '../../flow/catalog.ts'
import { credentialKindsOf, namedCredentials } from '../../flow/credentials.ts'
import { SluiceError } from '../../kit/errors.ts'
import { randomId } from '../../kit/hash.ts'
import { type CredentialKind, CREDENTIAL_KINDS, findCredentialKind } from '../../nodes/credential-kinds.ts'
import { type CredentialTrial, credentialTestOf, testCredential } from '../../nodes/credential-test.ts'
import { type FlowUse, flowUses } from '../flow-uses.ts'
import { MANAGEMENT, isoTime, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

/** Credentials. Their data is stored encrypted and never returned; only flows use it. */
export function credentialRoutes({ credentials, flows, catalog, nodeServices, config }: Platform): Route[] {
  const answer = { description: 'The credential, without its data', shape: credentialShape }
  const verdict = { description: 'What the provider answered, without secrets', shape: credentialVerdict }

  /** The flows that use credentials, by the id of the credential. */
  const usesOf = (ids: readonly string[]) =>
    flowUses(
      flows,
      (flowData) => ids.some((id) => flowData.includes(id)),
      (graph) =>
        namedCredentials(graph, catalog).map(
          ({ id, nodeId, node, address = null }) => [id, { nodeId, label: node, address }] as const,
        ),
    )

  async function test(trial: CredentialTrial) {
    const startedAt = performance.now()
    const found = await testCredential(trial, { egress: nodeServices.egress, settings: config })
    return { ...found, timeTaken: Math.round(performance.now() - startedAt) }
  }

  const shownKind = (kind: CredentialKind) =>
    presentKind(kind, { catalog, test: credentialTestOf(kind.name, config) ?? null })

  async function find(id: string): Promise<CredentialRow> {
    const row = await credentials.find(id)
    if (!row) throw new SluiceError('credential_not_found', { id })
    return row
  }

  /** The values of a credential. Values that cannot be decrypted any more are lost: new ones can be given. */
  async function valuesOf({ id }: CredentialRow): Promise<CredentialData> {
    try {
      return await credentials.open(id)
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'secret_unreadable') return {}
      throw error
    }
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/components-credentials',
      summary: 'The kinds of credential that nodes use, with their fields',
      answer: { description: 'The kinds', shape: credentialKindList },
      handle: async () => CREDENTIAL_KINDS.map(shownKind),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/components-credentials/:name',
      summary: 'One kind of credential',
      params: nameParams,
      answer: { description: 'The kind', shape: credentialKindShape },
      handle: async ({ params }) => shownKind(findCredentialKind(params.name)),
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/components-credentials/:name/test',
      summary:
        'Test values for a credential before they are stored, by a call of the provider that costs next to nothing',
      params: nameParams,
      body: credentialTestBody,
      answer: verdict,
      handle: ({ params, body: { plainDataObj = {}, address } }) =>
        test({
          kind: findCredentialKind(params.name).name,
          values: asTexts(plainDataObj),
          address: address || undefined,
        }),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/credentials',
      summary: 'All credentials, without their data; with usage=true also the flows that use each',
      query: credentialListQuery,
      answer: { description: 'The credentials', shape: credentialList },
      async handle({ query }) {
        const all = await credentials.list()
        const wanted = query.credentialName
        const rows = all.filter(({ kind }) => wanted === undefined || kind === wanted)
        if (query.usage !== 'true') return rows.map((row) => present(row))
        const uses = await usesOf(rows.map(({ id }) => id))
        return rows.map((row) => present(row, uses.get(row.id) ?? []))
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
        return present({ ...row, lastUsedAt: null })
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/credentials/:id',
      summary: 'One credential without its data: the names of its fields, and the flows that use it',
      params: idParams,
      answer,
      async handle({ params }) {
        const row = await find(params.id)
        const uses = await usesOf([row.id])
        const fieldsSet = Object.entries(await valuesOf(row)).flatMap(([name, value]) =>
          value ? [name] : [],
        )
        return { ...present(row, uses.get(row.id) ?? []), fieldsSet }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/credentials/:id/test',
      summary:
        'Test a stored credential by a call of the provider that costs next to nothing, such as its list of models',
      params: idParams,
      body: credentialTestBody.default({}),
      answer: verdict,
      async handle({ params, body: { plainDataObj = {}, address } }) {
        const row = await find(params.id)
        const values = merged(await valuesOf(row), asTexts(plainDataObj))
        return test({ kind: row.kind, values, address: address || undefined })
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url: '/api/v1/credentials/:id',
      summary:
        'Rename a credential or replace fields of its data; absent fields stay, an empty text removes one',
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
        const given = body.plainDataObj && asTexts(body.plainDataObj)
        // The fields of another kind mean nothing here.
        const kept = given && changed.kind === row.kind ? await valuesOf(row) : {}
        await credentials.update(changed, given && merged(kept, given))
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

const presentKind = (
  { name, label, fields }: CredentialKind,
  { catalog, test }: { catalog: Catalog; test: { address: string | null } | null },
) => ({
  name,
  label,
  inputs: fields.map(({ name, label, secret, optional = false }) => ({
    name,
    label,
    type: secret ? 'password' : 'string',
    optional,
  })),
  nodes: [...catalog.values()]
    .filter((card) => credentialKindsOf(card).includes(name))
    .map((card) => ({ name: card.name, label: card.label })),
  test,
})

/** Given values over kept ones; an empty text removes a value. */
const merged = (kept: CredentialData, given: CredentialData): CredentialData =>
  Object.fromEntries(Object.entries({ ...kept, ...given }).filter(([, value]) => value !== ''))

const asTexts = (data: Record<string, string | number | boolean>) =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, String(value)]))

type Use = FlowUse<{ nodeId: string; label: string; address: string | null }>

const present = ({ id, name, kind, createdAt, updatedAt, lastUsedAt }: CredentialRow, usedBy?: Use[]) => ({
  id,
  name,
  credentialName: kind,
  createdDate: isoTime(createdAt),
  updatedDate: isoTime(updatedAt),
  lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  ...(usedBy === undefined ? {} : { usedBy }),
})
