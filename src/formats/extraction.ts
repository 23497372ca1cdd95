import { DroppedRows } from '../documents/dropped-rows.ts'
import type { Dropped } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import type { FileLimits } from './limits.ts'
import type { DroppedItem, Note } from './reader.ts'

/** What is known while one file is read: what its text may still be, what was left out and why, how it is refused. */
export class Extraction {
  /** What a person should know of it. */
  readonly notes: Note[] = []
  readonly #dropped = new DroppedRows()
  readonly #file: string
  readonly #limits: FileLimits
  #textLeft: number

  constructor(file: { name: string }, limits: FileLimits) {
    this.#file = file.name
    this.#limits = limits
    this.#textLeft = limits.textLength
  }

  /** Adds a note, unless it exists or there are 100 already. */
  note(text: string): void {
    const note = text.slice(0, 300)
    if (this.notes.length < 100 && !this.notes.some((other) => other.note === note)) this.notes.push({ note })
  }

  /** Something is left out of the text. */
  drop(kind: Dropped['kind'], place?: Dropped['place'], count = 1): void {
    this.#dropped.add({ kind, count, ...(place ? { place } : {}) })
  }

  /** The notes, and what was left out: the last items of a reader. */
  *report(): Generator<Note | DroppedItem> {
    yield* this.notes
    for (const dropped of this.#dropped.rows) yield { dropped }
  }

  /** Counts characters of the result against the limit: a small file can give a huge text. */
  countText(characters: number): void {
    this.#textLeft -= characters
    if (this.#textLeft < 0) this.overLimit(`it gives more than ${this.#limits.textLength} characters`)
  }

  overLimit(reason: string): never {
    throw new SluiceError('file_over_limit', { file: this.#file, reason })
  }

  unreadable(reason: string): never {
    throw new SluiceError('file_unreadable', { file: this.#file, reason })
  }

  encrypted(): never {
    throw new SluiceError('file_encrypted', { file: this.#file })
  }
}
