import type { ChunkEdit, ChunkEditChanges } from '../contract/chunk-edit-store.ts'
import { CHAT_ID_KEY } from '../documents/conversation.ts'
import { passageOf } from '../documents/passage.ts'
import { fingerprint } from '../kit/hash.ts'
import { canonicalJson, type JsonObject } from '../kit/json.ts'
import type { IncomingChunk } from './source-comparison.ts'

/** The metadata keys that the server sets: an edit of metadata does not change them. */
const KEPT_KEYS = ['docId', CHAT_ID_KEY] as const

/** What the edits of a namespace have met in a run. */
export class RunEdits {
  readonly #bySource: ReadonlyMap<string, ChunkEdit[]>
  readonly #nameOf: (source: string) => string
  readonly #met = new Set<string>()
  /** The metadata with which an edited text has occurred, by source and text: the same pair twice is one chunk. */
  readonly #occurred = new Map<string, string[]>()

  /** @param nameOf the name in the store of a source of the run */
  constructor(edits: readonly ChunkEdit[], nameOf: (source: string) => string = (source) => source) {
    this.#bySource = Map.groupBy(edits, ({ source }) => source)
    this.#nameOf = nameOf
  }

  /** Chunks as users have changed them; those that they have deleted are left out, and told to `deleted`. */
  apply(
    chunks: readonly IncomingChunk[],
    deleted: (chunk: IncomingChunk) => void = () => {},
  ): IncomingChunk[] {
    if (this.#bySource.size === 0) return [...chunks]
    return chunks.flatMap((chunk) => {
      const edit = this.#editOf(chunk)
      if (!edit) return [chunk]
      this.#met.add(edit.id)
      if (edit.content === null) {
        deleted(chunk)
        return []
      }
      return [{ ...chunk, text: edit.content, metadata: editedMetadata(chunk.metadata, edit.metadata) }]
    })
  }

  #editOf({ source, text, head, metadata }: IncomingChunk): ChunkEdit | undefined {
    const edits = this.#bySource.get(this.#nameOf(source))
    if (!edits) return undefined
    const hash = fingerprint(passageOf(text, head))
    const same = edits.filter((edit) => edit.hash === hash)
    if (same.length === 0) return undefined
    const key = `${source}\n${hash}`
    const occurred = this.#occurred.get(key) ?? []
    this.#occurred.set(key, occurred)
    const found = canonicalJson(metadata as JsonObject)
    const ordinal = occurred.includes(found) ? occurred.indexOf(found) : occurred.push(found) - 1
    return same.find((edit) => edit.ordinal === ordinal)
  }

  /** The edits of some sources that were read whole: those that found their text, and those that did not. */
  outcome(sources: readonly string[]): { changes: ChunkEditChanges; lost: ChunkEdit[] } {
    const read = sources.flatMap((source) => this.#bySource.get(this.#nameOf(source)) ?? [])
    const lost = read.filter(({ id, asideAt }) => asideAt === null && !this.#met.has(id))
    const back = read.filter(({ id, asideAt }) => asideAt !== null && this.#met.has(id))
    return { changes: { put: [], aside: lost.map(({ id }) => id), met: back.map(({ id }) => id) }, lost }
  }
}

/** The metadata of an edited chunk. @param edited JSON text; null where those of the source stay */
export function editedMetadata(
  own: IncomingChunk['metadata'],
  edited: string | null,
): IncomingChunk['metadata'] {
  if (edited === null) return own
  const kept = KEPT_KEYS.filter((key) => own[key] !== undefined).map((key) => [key, own[key]])
  return { ...(JSON.parse(edited) as IncomingChunk['metadata']), ...Object.fromEntries(kept) }
}
