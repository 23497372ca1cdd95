import type { Metric } from '../../contract/retrieval.ts'
import type { KeptOption } from '../../contract/vector-engine.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import type { EngineServer } from './engine-server.ts'
import type { IndexOptions } from './index-options.ts'
import { keptOptions } from './kept-options.ts'
import { mappingFault, type SearchDialect } from './search-dialects.ts'

/** What writes and searches of a collection name: `isAlias` unless the credential may not make one. */
export type IndexPlace = { target: string; isAlias: boolean }

/** An index as the server describes it. */
type Found = { name: string; aliases: string[]; settings: JsonObject; mappings: JsonObject }

/** Statuses of a credential that may not change aliases. */
export const FORBIDDEN = [401, 403]

const indexNameOf = (prefix: string, collection: string) => `${prefix}-${collection}`.toLowerCase()

/** The alias that the index of a collection has. */
export const aliasNameOf = (prefix: string, collection: string): string =>
  `${indexNameOf(prefix, collection)}-points`

export type SearchIndexes = ReturnType<typeof searchIndexes>

/**
 * The indexes of collections in OpenSearch or Elasticsearch. Each is named by an alias, so that a bulk can demand one: without it both
 * products make an index, without a mapping, where a write names one that is gone. An operator can also put the alias on another index that
 * he has made from ours: a moved, split or smaller one. Indexes of before get theirs when they are first used.
 */
export function searchIndexes({
  server,
  indexPrefix,
  metric,
  options,
  dialect,
}: {
  server: EngineServer
  indexPrefix: string
  metric: Metric
  /** How new ones are made. */
  options: IndexOptions
  dialect(): Promise<SearchDialect>
}) {
  /** What this process has found or made. */
  const places = new Map<string, IndexPlace>()
  /** What those that were looked at were made with, where the options say otherwise. */
  const kept = new Map<string, KeptOption[]>()
  const indexOf = (collection: string) => indexNameOf(indexPrefix, collection)
  const aliasOf = (collection: string) => aliasNameOf(indexPrefix, collection)
  const pathOf = (name: string) => `/${encodeURIComponent(name)}`

  /** The indexes with the alias of a collection; where there is none, the one with its name, if it is there. */
  async function look(collection: string): Promise<Found[]> {
    const [index, alias] = [indexOf(collection), aliasOf(collection)]
    const path = `/${[index, alias].map(encodeURIComponent).join(',')}?ignore_unavailable=true`
    const { body } = await server.call({ method: 'GET', path, expected: [404] })
    const found = Object.entries(isObject(body) ? body : {}).flatMap(([name, about]): Found | [] => {
      if (!isObject(about) || !isObject(about.settings)) return []
      const { index: settings } = about.settings
      return {
        name,
        aliases: isObject(about.aliases) ? Object.keys(about.aliases) : [],
        settings: isObject(settings) ? (settings as JsonObject) : {},
        mappings: isObject(about.mappings) ? (about.mappings as JsonObject) : {},
      }
    })
    const named = found.filter(({ aliases }) => aliases.includes(alias))
    return named.length > 0 ? named : found.filter(({ name }) => name === index)
  }

  async function locate(collection: string): Promise<IndexPlace | undefined> {
    const alias = aliasOf(collection)
    const [found] = await look(collection)
    if (!found) return undefined
    if (found.aliases.includes(alias)) return { target: alias, isAlias: true }
    const path = `${pathOf(found.name)}/_alias${pathOf(alias)}`
    const { status } = await server.call({ method: 'PUT', path, expected: [...FORBIDDEN, 404] })
    if (FORBIDDEN.includes(status)) return { target: found.name, isAlias: false }
    return status === 404 ? undefined : { target: alias, isAlias: true }
  }

  /** Where a collection is; undefined where it is not. */
  async function find(collection: string): Promise<IndexPlace | undefined> {
    const known = places.get(collection)
    // Without an alias nothing else keeps a write from making an index.
    if (known?.isAlias) return known
    const place = await locate(collection)
    if (place) places.set(collection, place)
    else places.delete(collection)
    return place
  }

  return {
    find,
    indexOf,
    kept: (collection: string): readonly KeptOption[] => kept.get(collection) ?? [],

    /** Where a collection is; it is made where it is not. */
    async make(collection: string, dimensions: number): Promise<IndexPlace> {
      const known = await find(collection)
      if (known) return known
      const body = (await dialect()).index(dimensions, metric, options)
      const create = (aliases: JsonObject) =>
        server.call({
          ...{ method: 'PUT', path: pathOf(indexOf(collection)), body: { ...body, ...aliases } },
          expected: [400, ...FORBIDDEN],
        })
      let answer = await create({ aliases: { [aliasOf(collection)]: {} } })
      if (FORBIDDEN.includes(answer.status)) answer = await create({})
      // 400 also where another server was first, or where an earlier attempt has created it.
      const place = await find(collection)
      if (!place) throw server.failure(`it does not create the index: ${reasonIn(answer.body)}`)
      return place
    },

    /** For the next use it is looked up again. */
    dropKnown(collection: string): void {
      places.delete(collection)
    },

    async drop(collection: string): Promise<void> {
      places.delete(collection)
      kept.delete(collection)
      const names = (await look(collection)).map(({ name }) => name)
      for (const name of names) await server.call({ method: 'DELETE', path: pathOf(name), expected: [404] })
    },

    /** What keeps a collection that has points from being used; undefined where nothing does. */
    async fault(
      collection: string,
      { dimensions, writes }: { dimensions: number | undefined; writes: boolean },
    ): Promise<string | undefined> {
      const found = await look(collection)
      const [first] = found
      if (!first) return `the index ${indexOf(collection)} is missing`
      kept.set(collection, keptOptions(first, options))
      if (found.length > 1) return `the alias ${aliasOf(collection)} is on ${found.length} indexes`
      const wrong =
        (isSet(first.settings.verified_before_close) ? 'is closed' : undefined) ??
        blockOf(first.settings, writes) ??
        mappingFault(first.mappings, await dialect(), { dimensions, metric })
      return wrong && `the index ${first.name} ${wrong}`
    },
  }
}

/** Settings are texts. */
const isSet = (value: unknown): boolean => value === true || value === 'true'

const WRITE_BLOCKS = ['read_only', 'write', 'read_only_allow_delete']

function blockOf({ blocks }: JsonObject, writes: boolean): string | undefined {
  if (!isObject(blocks)) return undefined
  const set = Object.keys(blocks).filter((block) => isSet(blocks[block]))
  if (set.includes('read')) return 'may not be read (index.blocks.read)'
  const own = writes ? WRITE_BLOCKS.find((block) => set.includes(block)) : undefined
  if (own === undefined) return undefined
  return own === 'read_only_allow_delete'
    ? 'is read-only, as on a full disk (index.blocks.read_only_allow_delete)'
    : `is read-only (index.blocks.${own})`
}

function reasonIn(body: unknown): string {
  const error = isObject(body) ? body.error : undefined
  return isObject(error) && typeof error.reason === 'string' ? error.reason : 'it gives no reason'
}
