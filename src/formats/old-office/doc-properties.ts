import type { DocHeader } from './doc-pieces.ts'

/** Changes of properties by their codes (MS-DOC 2.6): the operand as a number. */
export type Changes = ReadonlyMap<number, number>

/** The codes that are used here. */
export const CHANGE = {
  isDeleted: 0x0800,
  isHidden: 0x083c,
  symbol: 0x6a09,
  inTable: 0x2416,
  endsRow: 0x2417,
  innerCell: 0x244b,
  innerRow: 0x244c,
  tableDepth: 0x6649,
  outline: 0x2640,
  listLevel: 0x260a,
  list: 0x460b,
} as const

const NONE: Changes = new Map()

/** Reads a list of changes (MS-DOC 2.2.5.1). */
export function readChanges(bytes: Buffer): Changes {
  const changes = new Map<number, number>()
  let at = 0
  while (at + 3 <= bytes.length) {
    const code = bytes.readUInt16LE(at)
    at += 2
    const kind = code >>> 13
    if (kind === 6) {
      at += code === DEFINE_TABLE && at + 2 <= bytes.length ? 1 + bytes.readUInt16LE(at) : 1 + bytes[at]!
      continue
    }
    const size = SIZES[kind]!
    if (at + size > bytes.length) break
    changes.set(code, bytes.readUIntLE(at, size))
    at += size
  }
  return changes
}

const SIZES: readonly number[] = [1, 1, 2, 4, 2, 2, 0, 3]
const DEFINE_TABLE = 0xd608

/** Properties of the text from a place to before another, in bytes of the file. */
export type Run = { end: number; style: number; changes: Changes }

/** Finds the properties at places of the file, in pages of 512 bytes (MS-DOC 2.9.33 and 2.9.68). */
export class PropertyPages {
  readonly #stream: Buffer
  readonly #starts: number[]
  readonly #pages: number[]
  readonly #isParagraph: boolean
  readonly #known = new Map<number, Run[]>()

  constructor({ stream, structure }: DocHeader, kind: 'characters' | 'paragraphs') {
    this.#stream = stream
    this.#isParagraph = kind === 'paragraphs'
    const plc = structure(this.#isParagraph ? 13 : 12)
    const count = Math.max(0, Math.floor((plc.length - 4) / 8))
    this.#starts = Array.from({ length: count }, (_, index) => plc.readUInt32LE(4 * index))
    this.#pages = Array.from(
      { length: count },
      (_, index) => plc.readUInt32LE(4 * (count + 1) + 4 * index) & 0x3fffff,
    )
  }

  /** The properties at a place; none where the file has none. */
  at(place: number): Run {
    const page = this.#pages[lastAtMost(this.#starts, place)]
    const runs = page === undefined ? [] : this.#runsOf(page)
    return runs.find(({ end }) => place < end) ?? { end: Number.MAX_SAFE_INTEGER, style: 0, changes: NONE }
  }

  #runsOf(page: number): Run[] {
    const known = this.#known.get(page)
    if (known) return known
    const bytes = this.#stream.subarray(page * 512, page * 512 + 512)
    const runs: Run[] = []
    const count = bytes.length === 512 ? bytes[511]! : 0
    const itemBytes = this.#isParagraph ? 13 : 1
    for (let index = 0; index < count; index++) {
      const item = 4 * (count + 1) + itemBytes * index
      if (item >= 511) break
      runs.push({ end: bytes.readUInt32LE(4 * index + 4), ...this.#propertiesAt(bytes, 2 * bytes[item]!) })
    }
    this.#known.set(page, runs)
    return runs
  }

  #propertiesAt(bytes: Buffer, at: number): Omit<Run, 'end'> {
    if (at === 0 || at >= 511) return { style: 0, changes: NONE }
    if (!this.#isParagraph) {
      return { style: 0, changes: readChanges(bytes.subarray(at + 1, at + 1 + bytes[at]!)) }
    }
    const isPadded = bytes[at] === 0
    const start = isPadded ? at + 2 : at + 1
    const length = isPadded ? 2 * bytes[at + 1]! : 2 * bytes[at]! - 1
    if (start + 2 > bytes.length) return { style: 0, changes: NONE }
    return {
      style: bytes.readUInt16LE(start),
      changes: readChanges(bytes.subarray(start + 2, start + length)),
    }
  }
}

/** The index of the last of sorted numbers that is at most a number; -1 if there is none. */
function lastAtMost(sorted: readonly number[], number: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= number) low = middle + 1
    else high = middle
  }
  return low - 1
}
