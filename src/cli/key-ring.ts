import { existsSync } from 'node:fs'
import path from 'node:path'
import type { KeyAnswer } from '../api/api-key.ts'
import type { ApiKeyRow, KeyScope } from '../contract/api-key-store.ts'
import { checkPins, requireNarrow } from '../callers/pins.ts'
import type { Pins } from '../contract/fence.ts'
import { checkQuotas, dayOf } from '../callers/quotas.ts'
import { DAILY_QUOTAS, type Quotas } from '../contract/quota.ts'
import type { DataPlace, OpenInstallation } from '../contract/data-directory.ts'
import { DATA_FILES } from '../contract/data-files.ts'
import type { Config } from '../kit/config.ts'
import { directAddress } from '../kit/direct-address.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import { newApiKey } from '../kit/key-secret.ts'
import { didYouMean } from '../kit/suggest.ts'
import { Failure } from './failure.ts'
import { findNamed } from './find-named.ts'
import { type Client, jsonBody } from './http.ts'
import { readAnswer } from './read-answer.ts'
import { text } from './options.ts'
import { SERVER_OPTIONS, type ServerOptions, serverOf } from './server-options.ts'
import type { World } from './world.ts'

/** A key to make. Flows are given by id or slug; those of `bind` need the key from then on. */
export type KeyRequest = {
  keyName: string
  scopes: KeyScope[]
  flows: string[]
  pins?: Pins
  quotas?: Quotas
  bind?: string[]
  expiresAt?: string
}

/** The options of commands that work on the keys of a server, or of a data directory. */
export const KEY_OPTIONS = {
  ...SERVER_OPTIONS,
  url: text('address', 'the address of a server; the keys of DATA_DIR, or of DATABASE_URL, unless given'),
}

/** The API keys of an installation. */
export type KeyRing = {
  list(): Promise<KeyAnswer[]>
  create(request: KeyRequest): Promise<KeyAnswer & { apiKey: string }>
  /** Replaces the key itself; the old one is refused at once. */
  rotate(id: string): Promise<string>
  remove(id: string): Promise<void>
}

/**
 * Calls `work` with the keys of the server at `--url`, or without that option with those in its database. That needs no API key:
 * who can write the database of a server controls it.
 */
export async function withKeyRing(
  { config, options, world }: { config: Config; options: ServerOptions; world: World },
  work: (ring: KeyRing) => Promise<void>,
): Promise<void> {
  if (options.url !== undefined) return await work(remoteRing(serverOf(options, config, world)))
  const installation = await world.offline.open(dataPlaceOf(config))
  try {
    await work(localRing(installation))
  } finally {
    await installation.close()
  }
}

/** Where this machine's installation has its data. */
export const dataPlaceOf = (config: Config): DataPlace => ({
  directory: config.DATA_DIR,
  address: directAddress(config),
})

/** @throws Failure where there is no database, so that commands that only read do not create one */
export function mustExist({ DATA_DIR, DATABASE_URL }: Config, { url }: Partial<ServerOptions> = {}): void {
  if (
    url === undefined &&
    DATABASE_URL === undefined &&
    !existsSync(path.join(DATA_DIR, DATA_FILES.database))
  )
    throw new Failure(
      `There is no database in ${DATA_DIR}`,
      'give the right folder with --data-dir, or the address of a server with --url',
    )
}

function localRing({ keys, flows }: OpenInstallation): KeyRing {
  const moment = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  const answer = ({
    id,
    name,
    scopes,
    flows,
    pins,
    quotas,
    expiresAt,
    lastUsedAt,
  }: ApiKeyRow): KeyAnswer => ({
    id,
    keyName: name,
    scopes,
    flows,
    pins,
    quotas,
    expiresAt: moment(expiresAt),
    lastUsedAt: moment(lastUsedAt),
  })
  /** The chunks of a key are counted by the server alone. */
  async function usedOf({ id, quotas }: ApiKeyRow, day: number) {
    const used = await keys.used(id, day)
    return Object.fromEntries(DAILY_QUOTAS.filter((name) => name in quotas).map((name) => [name, used[name]]))
  }
  const flowId = async (flow: string) => {
    const row = await flows.find(flow)
    if (row) return row.id
    const slugs = (await flows.list()).rows.map(({ slug }) => slug)
    const hint =
      slugs.length === 0
        ? 'flows are created at the first start'
        : didYouMean(flow, slugs, `there are ${slugs.slice(0, 20).join(', ')}`)
    throw new SluiceError('flow_not_found', { flow, hint })
  }
  return {
    async list() {
      const today = dayOf(Date.now())
      const rows = await keys.list()
      return Promise.all(rows.map(async (row) => ({ ...answer(row), used: await usedOf(row, today) })))
    },
    async create(request) {
      const { apiKey, hash } = newApiKey()
      const pins = checkPins(request.pins ?? {})
      const row: ApiKeyRow = {
        id: randomId(),
        name: request.keyName,
        hash,
        scopes: request.scopes,
        flows: await Promise.all(request.flows.map(flowId)),
        pins,
        quotas: checkQuotas(request.quotas ?? {}, pins),
        createdAt: Date.now(),
        expiresAt: request.expiresAt === undefined ? null : Date.parse(request.expiresAt),
        lastUsedAt: null,
      }
      requireNarrow(row)
      await keys.insert(row, await Promise.all((request.bind ?? []).map(flowId)))
      return { ...answer(row), apiKey }
    },
    async rotate(id) {
      const { apiKey, hash } = newApiKey()
      if (!(await keys.rotate(id, hash))) throw new SluiceError('key_not_found', { id })
      return apiKey
    },
    async remove(id) {
      if (!(await keys.remove(id))) throw new SluiceError('key_not_found', { id })
    },
  }
}

const shapes = () => import('../api/api-key.ts')

function remoteRing(client: Client): KeyRing {
  return {
    list: () =>
      readAnswer(client.send('GET', 'apikey'), async () => (await shapes()).keyList, 'a list of API keys'),
    create: (request) =>
      readAnswer(
        client.send('POST', 'apikey', jsonBody(request)),
        async () => (await shapes()).newKeyShape,
        'a new API key',
      ),
    async rotate(id) {
      const { apiKey } = await readAnswer(
        client.send('POST', `apikey/${encodeURIComponent(id)}/rotate`),
        async () => (await shapes()).newKeyShape,
        'a new API key',
      )
      return apiKey
    },
    async remove(id) {
      await client.send('DELETE', `apikey/${encodeURIComponent(id)}`)
    },
  }
}

/** The id of the key with this id or name; a text that is neither is returned, and refused later. */
export const keyIdOf = async (given: string, ring: KeyRing): Promise<string> =>
  findNamed(await ring.list(), given, { kind: 'keys', nameOf: ({ keyName }) => keyName })?.id ?? given
