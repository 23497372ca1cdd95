import type { KnownText } from '../../contract/ledger.ts'
import { visibleTexts } from './chunks.ts'
import type { Connection } from './connection.ts'

/** Sources of more chunks than this are asked about text by text. */
const REMEMBERED_CHUNKS = 20_000

/** How many sources are worked on side by side, and a few more. */
const REMEMBERED_SOURCES = 8

type Remembered = {
  /** The visible chunks of the source by the fingerprint of their text; undefined where they are too many. */
  texts: Map<string, KnownText['chunks']> | undefined
  /** Texts for which the run has staged chunks of its own since: the database knows better. */
  staged: Set<string>
}

/**
 * What readers see of the sources of a run, read once per source: it cannot change while the run has its turn. Most texts
 * of a file that is cut again are found here, without a question to the database for each.
 */
export class SourceMemory {
  readonly #reader: Connection
  readonly #indexId: number
  readonly #sources = new Map<string, Remembered>()
  /** Those whose texts are still held, the oldest first. */
  readonly #held: Remembered[] = []

  constructor(reader: Connection, indexId: number) {
    this.#reader = reader
    this.#indexId = indexId
  }

  /** What is known of a text, or undefined where the database has to be asked. */
  recall(source: string, hash: string): KnownText | undefined {
    const { texts, staged } = this.#sources.get(source) ?? this.#read(source)
    const chunks = texts?.get(hash)
    return chunks && !staged.has(hash) ? { embedded: true, chunks } : undefined
  }

  noteStaged(source: string, hash: string): void {
    const { texts, staged } = this.#sources.get(source) ?? this.#read(source)
    if (texts?.has(hash)) staged.add(hash)
  }

  /** A source that is forgotten is not read again: what the run has staged of it since would be missing. */
  #forgetOldest(): void {
    if (this.#held.length > REMEMBERED_SOURCES) this.#held.shift()!.texts = undefined
  }

  #read(source: string): Remembered {
    const rows = visibleTexts(this.#reader, this.#indexId, source, REMEMBERED_CHUNKS + 1)
    const texts = new Map<string, KnownText['chunks']>()
    for (const { hash, id, metadataHash } of rows) {
      const chunk = { id, metadataHash, fresh: false }
      const chunks = texts.get(hash)
      if (chunks) chunks.push(chunk)
      else texts.set(hash, [chunk])
    }
    const remembered = {
      texts: rows.length > REMEMBERED_CHUNKS ? undefined : texts,
      staged: new Set<string>(),
    }
    this.#sources.set(source, remembered)
    this.#held.push(remembered)
    this.#forgetOldest()
    return remembered
  }
}
