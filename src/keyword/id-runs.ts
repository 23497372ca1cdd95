import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/**
 * The passages of a segment in the order of their ids, numbered from 0. Passages that are written together have ids
 * that follow one another, so a few runs describe many.
 */
export class IdRuns {
  /** The first id of each run, and its number. */
  readonly #ids: number[] = []
  readonly #numbers: number[] = []
  readonly #base: number
  readonly size: number

  /** `base` is what the bytes count from: the first id of the segment. */
  constructor(base: number, bytes: Uint8Array) {
    const reader = new ByteReader(bytes)
    this.#base = base
    let id = base
    let number = 0
    while (!reader.ended) {
      id += reader.varint()
      this.#ids.push(id)
      this.#numbers.push(number)
      const length = reader.varint()
      id += length
      number += length
    }
    this.size = number
  }

  /** How many ranges of ids there are. */
  get runs(): number {
    return this.#ids.length
  }

  idAt(number: number): number {
    const run = lastNotAbove(this.#numbers, number)
    return this.#ids[run]! + number - this.#numbers[run]!
  }

  /** Undefined for an id that is not here. */
  numberOf(id: number): number | undefined {
    if (id < this.#base) return undefined
    const run = lastNotAbove(this.#ids, id)
    const number = this.#numbers[run]! + id - this.#ids[run]!
    return number < (this.#numbers[run + 1] ?? this.size) ? number : undefined
  }
}

/** The bytes that `IdRuns` reads, of ids in ascending order. */
export function encodeRuns(ids: readonly number[]): Uint8Array {
  const writer = new ByteWriter()
  for (let at = 0, after = ids[0]!; at < ids.length; ) {
    const from = at
    while (ids[at + 1] === ids[at]! + 1) at++
    writer.varint(ids[from]! - after)
    writer.varint(++at - from)
    after = ids[at - 1]! + 1
  }
  return writer.take()
}

/** The place of the last number that is at most `wanted`, of numbers in ascending order; 0 where none is. */
export function lastNotAbove(numbers: readonly number[], wanted: number): number {
  let low = 0
  let high = numbers.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (numbers[middle]! <= wanted) low = middle
    else high = middle
  }
  return low
}
