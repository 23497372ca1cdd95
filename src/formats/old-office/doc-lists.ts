import type { DocHeader } from './doc-pieces.ts'
import {
  countItems,
  type DocxLists,
  type Instance,
  type Level,
  type Numbering,
} from '../office/docx-lists.ts'

/** Reads the lists of a document (MS-DOC 2.4.6.3, 2.9.131, 2.9.147); their ids are those of paragraphs. */
export function readDocLists({ structure, behind }: DocHeader): DocxLists {
  const numberings = new Map<string, Numbering>()
  const instances = new Map<string, Instance>()
  const lists = structure(LISTS)
  const levels = new LevelReader(behind(LISTS))
  const count = lists.length >= 2 ? Math.max(0, lists.readInt16LE(0)) : 0
  for (let index = 0; index < count && 2 + 28 * (index + 1) <= lists.length; index++) {
    const at = 2 + 28 * index
    const isSimple = (lists[at + 26]! & 1) === 1
    const own = Array.from({ length: isSimple ? 1 : 9 }, () => levels.next())
    numberings.set(String(lists.readInt32LE(at)), { levels: own, counts: [] })
  }

  const overrides = structure(OVERRIDES)
  const overrideCount = overrides.length >= 4 ? overrides.readUInt32LE(0) : 0
  const details = new LevelReader(overrides.subarray(4 + 16 * overrideCount))
  for (let index = 0; index < overrideCount && 4 + 16 * (index + 1) <= overrides.length; index++) {
    const at = 4 + 16 * index
    const instance: Instance = { abstractId: String(overrides.readInt32LE(at)), overrides: new Map() }
    instances.set(String(index + 1), instance)
    details.skip(4)
    for (let left = overrides[at + 12]!; left > 0; left--) {
      const start = details.long()
      const flags = details.long()
      if (flags & 0x10 && !(flags & 0x20)) instance.overrides.set(flags & 0xf, start)
      if (flags & 0x20) {
        const level = details.next()
        if (flags & 0x10) instance.overrides.set(flags & 0xf, level.start)
      }
    }
  }
  return countItems(numberings, instances)
}

const LISTS = 73
const OVERRIDES = 74

/** Reads levels one after another (MS-DOC 2.9.150); behind the end of the bytes all are bullets. */
class LevelReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  skip(count: number): void {
    this.#at += count
  }

  long(): number {
    const value = this.#at + 4 <= this.#bytes.length ? this.#bytes.readInt32LE(this.#at) : 0
    this.#at += 4
    return value
  }

  next(): Level {
    const at = this.#at
    if (at + 30 > this.#bytes.length) return { format: 'bullet', start: 1, text: '' }
    const text = at + 28 + this.#bytes[at + 24]! + this.#bytes[at + 25]!
    const length = text + 2 <= this.#bytes.length ? this.#bytes.readUInt16LE(text) : 0
    const shown = this.#bytes.toString('utf16le', text + 2, text + 2 + 2 * Math.min(length, MAX_MARKER))
    this.#at = text + 2 + 2 * length
    return {
      format: FORMATS[this.#bytes[at + 4]!] ?? 'decimal',
      start: this.#bytes.readInt32LE(at),
      text: [...shown]
        .map((character) => (character < '\x09' ? `%${character.charCodeAt(0) + 1}` : character))
        .join(''),
    }
  }
}

const MAX_MARKER = 100

const FORMATS: Readonly<Record<number, string | undefined>> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  22: 'decimalZero',
  23: 'bullet',
  255: 'none',
}
