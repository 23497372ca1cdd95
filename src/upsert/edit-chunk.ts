import { type ChunkEdit, type ChunkEditStore, MOST_CHUNK_EDITS } from '../contract/chunk-edit-store.ts'
import type { ChunkStore, StoreRun } from '../contract/chunk-store.ts'
import type { Embedder } from '../contract/embedder.ts'
import type { KnownText, StoredText } from '../contract/ledger.ts'
import type { Metadata } from '../contract/document.ts'
import { headOfPassage, passageOf, textOfPassage, withoutHeadMark } from '../documents/passage.ts'
import { SluiceError } from '../kit/errors.ts'
import { fingerprint, randomId } from '../kit/hash.ts'
import { canonicalJson, type JsonObject } from '../kit/json.ts'
import { deletedGap } from '../text/trace/gap-finder.ts'
import { editedMetadata } from './run-edits.ts'
import { Stager } from './stager.ts'

/** One chunk to change, or to delete where there is no text. `chunk`: its id in lists. Metadata that are absent stay. */
export type ChunkEditWork = {
  store: ChunkStore
  embedder: Embedder
  flow: { id: string; slug: string }
  source: string
  chunk: string
  text: string | null
  metadata?: JsonObject | undefined
}

/**
 * Changes or deletes a chunk in a run of its own, and notes the edit in the same transaction. The new text is embedded.
 *
 * @param now in ms since 1970
 * @throws SluiceError `chunk_not_found`, `chunk_edits_full`, and failures of the embedder and the store
 */
export async function editChunk(
  { store, embedder, flow, source, chunk, text, metadata }: ChunkEditWork,
  {
    run,
    edits,
    now,
    signal,
  }: { run: StoreRun; edits: Pick<ChunkEditStore, 'list'>; now: number; signal: AbortSignal },
): Promise<void> {
  const stored = await store.chunk({ source, chunk })
  const [known] = stored ? await run.known(stored.source, [stored.hash]) : []
  const row = known?.chunks.find(({ metadataHash }) => metadataHash === stored!.metadataHash)
  if (!stored || !row) throw new SluiceError('chunk_not_found', { store: flow.slug, chunk })
  const all = await edits.list(store.namespace)
  const earlier = all.find(
    (edit) => edit.source === stored.source && edit.asideAt === null && edit.resultHash === stored.hash,
  )
  if (!earlier && all.length >= MOST_CHUNK_EDITS)
    throw new SluiceError('chunk_edits_full', { namespace: store.namespace, limit: MOST_CHUNK_EDITS })
  const made = text === null ? undefined : changed(stored, text, metadata)
  if (made && made.hash === stored.hash && made.metadataHash === stored.metadataHash) return
  const stagedCount = made ? await stage(made) : 0
  const edit: ChunkEdit = {
    ...(earlier ?? {
      id: randomId(),
      source: stored.source,
      flowId: flow.id,
      hash: stored.hash,
      ordinal: ordinalOf(
        row.id,
        known!,
        all.filter((one) => one.source === stored.source && one.hash === stored.hash),
      ),
      original: stored.passage,
    }),
    content: made ? made.content : null,
    metadata: made ? (metadata ? canonicalJson(metadata) : (earlier?.metadata ?? null)) : null,
    resultHash: made?.hash ?? null,
    editedAt: now,
    asideAt: null,
  }
  await run.publish({
    ...{ stagedCount, removedChunkIds: [row.id], files: [], updatedSources: [stored.source] },
    invalidatedFiles: [],
    edits: {
      put: [edit],
      aside: [],
      met: [],
      ...(made || !stored.range ? {} : { gap: gapOf(stored, earlier) }),
    },
  })

  /** Writes the chunk unless its source has the same one. Returns how many were written. */
  async function stage({ content: _, ...one }: ReturnType<typeof changed>): Promise<number> {
    const [there] = await run.known(one.source, [one.hash])
    if (there!.chunks.some(({ metadataHash }) => metadataHash === one.metadataHash)) return 0
    const { namespace } = store
    const stager = new Stager({ place: run, namespace, embedder, signal, progress: () => {} })
    stager.add(one, there!.embedded)
    await stager.flush()
    return 1
  }
}

/** The words of a chunk that is deleted: those of its document, also where a person has changed the chunk before. */
const gapOf = ({ passage, range }: StoredText, earlier: ChunkEdit | undefined) =>
  deletedGap(textOfPassage(earlier?.original ?? passage), range!)

/** The chunk with another text, and other metadata where they are given. */
function changed(
  { source, passage, metadata, range }: StoredText,
  text: string,
  given: JsonObject | undefined,
) {
  const content = withoutHeadMark(text.replaceAll('\0', '')).toWellFormed()
  const whole = passageOf(content, headOfPassage(passage))
  const own = JSON.parse(metadata) as Metadata
  const kept = given ? canonicalJson(editedMetadata(own, JSON.stringify(given)) as JsonObject) : metadata
  return {
    ...{ source, content, text: whole, hash: fingerprint(whole), metadata: kept },
    ...{ metadataHash: fingerprint(kept), range },
  }
}

/** The place of a chunk among those of its source with the same text, with those that were edited before. */
function ordinalOf(id: number, { chunks }: KnownText, edits: readonly ChunkEdit[]): number {
  const start = ({ range }: KnownText['chunks'][number]) => range?.start ?? -1
  const ordered = chunks.toSorted((one, other) => start(one) - start(other) || one.id - other.id)
  let before = ordered.findIndex((one) => one.id === id)
  const taken = new Set(edits.map(({ ordinal }) => ordinal))
  for (let ordinal = 0; ; ordinal++) if (!taken.has(ordinal) && before-- === 0) return ordinal
}
