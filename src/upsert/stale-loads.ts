import type { ChunkStore } from '../contract/chunk-store.ts'
import type { FileParser } from '../contract/file-parser.ts'
import type { LoadCount } from '../contract/source-load.ts'
import type { Catalog } from '../flow/catalog.ts'
import {
  compareLoads,
  type SettingChange,
  type StoredLoad,
  type VariantNow,
} from '../flow/compare-load-settings.ts'
import type { LoadSettings } from '../flow/load-settings.ts'
import { canonicalJson, isObject, type Json } from '../kit/json.ts'

/** Settings of a load that differ from those of the flow: the hash under which sources have them, and what differs. */
export type StaleLoad = { hash: string; load: StoredLoad; changes: SettingChange[] }

/** With what loads are compared: the settings of the flow, and the parser that would read their files now. */
export type LoadsNow = {
  catalog: Catalog
  flowId: string
  now: readonly LoadSettings[]
  parser: FileParser
}

/** Those settings in a store with which the flow would not load a document now. */
export async function findStaleLoads(
  store: ChunkStore,
  { catalog, flowId, now, parser }: LoadsNow,
): Promise<StaleLoad[]> {
  const stale: StaleLoad[] = []
  for (const { hash, content } of await store.loadSettings()) {
    const load = JSON.parse(content) as StoredLoad
    // Another flow may load into the same namespace with settings of its own.
    if (load.flow !== flowId) continue
    const changes = compareLoads(catalog, load, now, await variantNow(load, parser))
    if (changes && changes.length > 0) stale.push({ hash, load, changes })
  }
  return stale
}

/** How the parser would read pages that it could not read; undefined where that is not asked, or the languages are not known. */
async function variantNow({ reader, loader }: StoredLoad, parser: FileParser): Promise<VariantNow> {
  if (reader?.unread === undefined) return undefined
  const languages = loader.values.ocrLanguages ?? null
  if (loader.overridden?.includes('ocrLanguages') || isObject(languages) || !parser.variant) return undefined
  const ocrLanguages = Array.isArray(languages) ? languages.map((name) => String(name).trim()) : []
  const named = ocrLanguages.filter((name) => name !== '')
  const options = named.length > 0 ? { ocrLanguages: named } : {}
  return { unread: (await parser.variant(reader.type, options)) ?? null }
}

/** Sources with the same differences. `finds`: their loader finds them by itself. */
export type LoadDifference = Pick<LoadCount, 'sources' | 'originals'> & {
  finds: boolean
  changes: SettingChange[]
}

/** How the settings of a store's sources differ from those of its flow. */
export type LoadComparison = {
  differences: LoadDifference[]
  /** Sources of which it is not known with which settings they were loaded. */
  unknown: LoadCount
  /** Names of the first sources that can only be loaded again if their files are sent again, and how many these are. */
  missing: { count: number; names: string[] }
}

/** How many names a comparison has. */
const NAMED = 20

/** Counts the sources that were loaded with other settings than those of the flow now. */
export async function compareStore(store: ChunkStore, flow: LoadsNow): Promise<LoadComparison> {
  const differences = new Map<string, LoadDifference>()
  const missing = { count: 0, names: [] as string[] }
  for (const { hash, load, changes } of await findStaleLoads(store, flow)) {
    const { sources, originals } = await store.countLoaded({ settings: hash })
    if (sources === 0) continue
    const key = canonicalJson([load.finds, changes as unknown as Json])
    const known = differences.get(key)
    differences.set(key, {
      finds: load.finds,
      changes,
      sources: sources + (known?.sources ?? 0),
      originals: originals + (known?.originals ?? 0),
    })
    if (load.finds || originals === sources) continue
    missing.count += sources - originals
    const limit = NAMED - missing.names.length
    if (limit === 0) continue
    const page = { settings: hash, kept: false, after: undefined, limit }
    missing.names.push(...(await store.loadedWith(page)).map(({ source }) => source))
  }
  const unknown = await store.countLoaded({ settings: null })
  return {
    differences: [...differences.values()].sort((a, b) => b.sources - a.sources),
    unknown,
    missing,
  }
}
