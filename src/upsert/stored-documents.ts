import type { ChunkStore } from '../contract/chunk-store.ts'
import type { ComparedDocuments } from '../contract/comparison.ts'
import type { Metadata } from '../contract/document.ts'
import type { Loader, LoaderItem } from '../contract/loader.ts'
import type { LoadCount, LoadedSource } from '../contract/source-load.ts'
import type { StorePlan } from '../flow/plan-store.ts'
import { sha256 } from '../kit/hash.ts'
import type { JsonObject } from '../kit/json.ts'
import type { GatheredItem } from './run-items.ts'
import { readAgain, type RefreshWork } from './load-again.ts'
import { eachLoaded, loadsOfFlow } from './loader-sources.ts'
import type { Originals } from './originals.ts'
import type { RunReading } from './run.ts'

/** A source whose text is put together from its chunks. `loader`: the id of the node that loaded it, if that is known. */
type StoredSource = { name: string; loader: string | undefined; bytes: number | null }

/** The documents of a flow that belong to no conversation, as they are stored now. */
export type StoredDocuments = {
  kept: LoadedSource[]
  texts: StoredSource[]
  /** The names of all that can be read. */
  names: ReadonlySet<string>
  summary: ComparedDocuments
}

/** How many names a summary has. */
const NAMED = 20

/**
 * Finds what can be loaded into another index: kept files, and of other sources the text that their chunks have. Sources of which
 * neither is there are named.
 */
export async function findStoredDocuments(store: ChunkStore, flowId: string): Promise<StoredDocuments> {
  const kept: LoadedSource[] = []
  const texts: StoredSource[] = []
  const missing: string[] = []
  async function add(settings: string | null, loader: string | undefined): Promise<void> {
    for await (const source of eachLoaded(store, settings))
      if (source.original) kept.push(source)
      else if (await hasText(store, source.source))
        texts.push({ name: source.source, loader, bytes: source.bytes })
      else missing.push(source.source)
  }
  for (const { hash, load } of await loadsOfFlow(store, flowId)) await add(hash, load.loader.id)
  await add(null, undefined)
  return {
    ...{ kept, texts },
    names: new Set([...kept.map(({ source }) => source), ...texts.map(({ name }) => name)]),
    summary: {
      files: kept.length,
      texts: texts.length,
      missing: { count: missing.length, names: missing.slice(0, NAMED) },
    },
  }
}

/** How many documents that are, and the characters that were extracted of them, as far as that is known. */
export async function countStoredDocuments(
  store: ChunkStore,
  flowId: string,
): Promise<Pick<LoadCount, 'sources' | 'characters'>> {
  const settings = [null, ...(await loadsOfFlow(store, flowId)).map(({ hash }) => hash)]
  const counts = await Promise.all(settings.map((one) => store.countLoaded({ settings: one })))
  return {
    sources: counts.reduce((sum, one) => sum + one.sources, 0),
    characters: counts.reduce((sum, one) => sum + one.characters, 0),
  }
}

const hasText = async (store: ChunkStore, source: string): Promise<boolean> =>
  ((await store.text({ source, version: 'newest', start: 0, end: 1 }))?.total ?? 0) > 0

export type StoredReadingOptions = {
  documents: StoredDocuments
  /** The store that has them now. */
  store: ChunkStore
  /** Plans the flow that loads them, with some overrides. @throws SluiceError as `planUpsert` does */
  plan(overrides: JsonObject): StorePlan
  originals: Pick<Originals, 'open'>
  /** A folder for copies of files, one at a time of each reader. */
  scratch: string
}

/** What was loaded with the same additions of an earlier request. */
type Group = RefreshWork['groups'][number]

/** The same documents, as a run reads them. */
export function readStored({ documents, store, plan, originals, scratch }: StoredReadingOptions): RunReading {
  const groups = new Map<string, Group>()
  for (const source of documents.kept) {
    const key = source.request ?? '{}'
    const request = JSON.parse(key) as Group['request']
    const group = groups.get(key) ?? { request, files: [], finding: new Set<string>() }
    group.files.push(source)
    groups.set(key, group)
  }
  const files = readAgain({
    ...{ groups: [...groups.values()], missing: [], expected: [] },
    ...{ plan, originals, scratch },
  })

  async function* items(signal: AbortSignal): AsyncGenerator<GatheredItem> {
    yield* files.items(signal)
    if (documents.texts.length === 0) return
    const { part, nodeIds } = plan({})
    for (const source of documents.texts) {
      const loader = part.loaders.find((one) => nodeIds?.get(one) === source.loader) ?? part.loaders[0]!
      yield { name: source.name, loader: plainLoader(loader), item: storedItem(store, source.name) }
    }
  }

  return {
    ...files,
    files: [...files.files, ...documents.texts.map(({ name, bytes }) => ({ name, size: bytes ?? 0 }))],
    known: true,
    items,
  }
}

/** The metadata of a stored text are whole already: what the loader adds or leaves out is done. */
const plainLoader = ({ id, splitter }: Loader): Loader => ({
  id,
  shapeMetadata: (own, added) => ({ ...own, ...added }),
  ...(splitter ? { splitter } : {}),
})

/** How many characters of a text are read at a time. */
const PIECE = 1_000_000

function storedItem(store: ChunkStore, source: string): LoaderItem {
  return {
    name: source,
    source,
    fingerprint: sha256(`stored ${source}`),
    async *read(signal) {
      let text = ''
      for (let start = 0; ; start += PIECE) {
        signal.throwIfAborted()
        const found = await store.text({ source, version: 'newest', start, end: start + PIECE })
        text += found?.text ?? ''
        if (!found || start + PIECE >= found.total) break
      }
      yield {
        parts: [{ pageContent: text, metadata: await metadataOf(store, source), last: true }],
        notes: [],
      }
    },
  }
}

/** Metadata of the place of a chunk, which the next cutting makes anew. */
const OF_PLACE: ReadonlySet<string> = new Set(['loc'])

async function metadataOf(store: ChunkStore, source: string): Promise<Metadata> {
  const { rows } = await store.chunks({ source, offset: 0, limit: 1 })
  const metadata = rows[0]?.metadata ?? {}
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !OF_PLACE.has(name)))
}
