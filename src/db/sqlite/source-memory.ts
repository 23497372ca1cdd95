import type { KnownText } from '../../contract/ledger.ts'
import { rangeOf } from '../text-range.ts'
import { visibleTexts } from './chunks.ts'
import type { Connection } from './connection.ts'
import type { IndexTexts } from './index-texts.ts'

/** Sources of more chunks than this are not held in memory: each text is a query. */
const REMEMBERED_CHUNKS = 20_000

/** How many sources are held: those that are worked on at once, and a few more. */
const REMEMBERED_SOURCES = 8

const NEW_TEXT: KnownText = { embedded: false, chunks: [] }

type Remembered = {
  /** The visible chunks of the source by the fingerprint of their text; undefined where they are too many. */
  texts: Map<string, KnownText['chunks']> | undefined
  /** Texts for which the run has staged chunks since: they are read from the database. */
  staged: Set<string>
}

/**
 * The visible chunks of the sources of a run, read once per source: they cannot change while the run is open. Most texts of
 * a file that is cut again are found here, without a query for each.
 */
export class SourceMemory {
  readonly #reader: Connection
  readonly #indexId: number
  readonly #sources = new Map<string, Remembered>()
  /** The sources with texts in memory, the oldest first. */
  readonly #held: Remembered[] = []

  /** The texts of the index, in a run. */
  readonly #texts: IndexTexts | undefined

  constructor(reader: Connection, indexId: number, texts?: IndexTexts) {
    this.#reader = reader
    this.#indexId = indexId
    this.#texts = texts
  }

  /** The chunks of a text; undefined where they must be read from the database. */
  recall(source: string, hash: string): KnownText | undefined {
    if (this.#texts?.lacks(hash) === true) return NEW_TEXT
    const { texts, staged } = this.#sources.get(source) ?? this.#read(source)
    const chunks = texts?.get(hash)
    return chunks && !staged.has(hash) ? { embedded: true, chunks } : undefined
  }

  /** So many texts were not found in the database. */
  noteMisses(count: number): void {
    this.#texts?.readAfter(count)
  }

  noteStaged(source: string, hash: string): void {
    const { texts, staged } = this.#sources.get(source) ?? this.#read(source)
    if (texts?.has(hash)) staged.add(hash)
  }

  /** Drops the texts of the oldest source. They are not read again, since `staged` does not record texts in the meantime. */
  #dropOldest(): void {
    if (this.#held.length > REMEMBERED_SOURCES) this.#held.shift()!.texts = undefined
  }

  #read(source: string): Remembered {
    const rows = visibleTexts(this.#reader, this.#indexId, source, REMEMBERED_CHUNKS + 1)
    const texts = new Map<string, KnownText['chunks']>()
    for (const row of rows) {
      const { hash, id, metadataHash } = row
      const chunk = { id, metadataHash, fresh: false, range: rangeOf(row) }
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
    this.#dropOldest()
    return remembered
  }
}
