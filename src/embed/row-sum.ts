import { type Local, loopWhile, type Value } from '../kit/wasm/code.ts'
import { instantiate, wasmFunction, wasmModule } from '../kit/wasm/module.ts'
import { i8x16, i16x8, i32, i32x4, v128 } from '../kit/wasm/operations.ts'
import type { ModelFile } from './model-file.ts'

/**
 * Sums of scale × int8 row over the tokens of a text, in integers.
 *
 * Every scale is written as a 28-bit multiple of a power of two, and this as two halves of 14 bits: then the int16
 * multiply-and-add instruction handles two tokens at a time. The scales of the built-in model stay exact. The float64
 * sums of the published arithmetic are exact too, so both give the same vectors to the last bit.
 */
const HALF_BITS = 14
const HALF = 2 ** HALF_BITS

/** Pairs per call: 2 × 127 × 2^14 × 512 is the most that fits an int32. */
const PAIRS = 512
/** Two addresses of rows; the upper halves of both scales in one int32; the lower halves. */
const PAIR_NUMBERS = 4
const PAIR_BYTES = PAIR_NUMBERS * 4

const COLUMNS = 16 // int8 in one vector

/** The sums for sixteen columns at a time stay in registers while all pairs are added. */
const SUM_PAIRS = wasmFunction(
  'sumPairs',
  { pairs: 'i32', end: 'i32', dimensions: 'i32', uppers: 'i32', lowers: 'i32' },
  ({ pairs, end, dimensions, uppers, lowers }, variable) => {
    const column = variable('i32')
    const pair = variable('i32')
    const first = variable('v128')
    const second = variable('v128')
    const quarters = () => Array.from({ length: 4 }, () => variable('v128'))
    const [upper, lower] = [quarters(), quarters()]
    const row = (offset: number) => v128.load(i32.add(i32.load(pair, offset), column))
    const add = (sums: Local<'v128'>[], halfScales: Value<'v128'>) =>
      interleaved(first, second).map((numbers, quarter) =>
        sums[quarter]!.set(i32x4.add(sums[quarter]!, i32x4.dotI16x8(numbers, halfScales))),
      )
    const write = (sums: Local<'v128'>[], address: Local<'i32'>) => [
      ...sums.map((sum, quarter) => v128.store(address, sum, quarter * 16)),
      address.set(i32.add(address, i32.const(COLUMNS * 4))),
    ]
    return {
      steps: [
        loopWhile(i32.ltU(column, dimensions), [
          ...[...upper, ...lower].map((sum) => sum.set(v128.zero)),
          pair.set(pairs),
          loopWhile(i32.ltU(pair, end), [
            first.set(row(0)),
            second.set(row(4)),
            ...add(upper, v128.load32Splat(pair, 8)),
            ...add(lower, v128.load32Splat(pair, 12)),
            pair.set(i32.add(pair, i32.const(PAIR_BYTES))),
          ]),
          ...write(upper, uppers),
          ...write(lower, lowers),
          column.set(i32.add(column, i32.const(COLUMNS))),
        ]),
      ],
    }
  },
)

/** Two rows of sixteen int8 as interleaved int16: columns 0-3, 4-7, 8-11, 12-15. */
function interleaved(first: Value<'v128'>, second: Value<'v128'>): Value<'v128'>[] {
  const zip = (from: number) => Array.from({ length: 8 }, (_, at) => [from + at, from + at + 16]).flat()
  return [0, 8]
    .map((from) => i8x16.shuffle(first, second, zip(from)))
    .flatMap((bytes) => [i16x8.extendLowI8x16(bytes), i16x8.extendHighI8x16(bytes)])
}

/** How many bytes a {@link RowSum} needs after the model. */
export const rowSumBytes = (dimensions: number): number => PAIRS * PAIR_BYTES + 2 * dimensions * 4

/** Adds up the rows of a model. */
export class RowSum {
  readonly #scales: Int32Array
  readonly #rows: number
  readonly #pairs: Int32Array
  readonly #uppers: Int32Array
  readonly #lowers: Int32Array
  readonly #sumPairs: (pairs: number) => void

  constructor({ memory, dimensions, vocabulary, scales, rows, free }: ModelFile) {
    this.#scales = wholeScales(new Float32Array(memory.buffer, scales, vocabulary.length))
    this.#rows = rows
    this.#pairs = new Int32Array(memory.buffer, free, PAIRS * PAIR_NUMBERS)
    const uppers = free + this.#pairs.byteLength
    const lowers = uppers + dimensions * 4
    this.#uppers = new Int32Array(memory.buffer, uppers, dimensions)
    this.#lowers = new Int32Array(memory.buffer, lowers, dimensions)
    const { sumPairs } = instantiate(wasmModule([SUM_PAIRS], { shared: false }), memory)
    this.#sumPairs = (pairs) => sumPairs!(free, free + pairs * PAIR_BYTES, dimensions, uppers, lowers)
  }

  /** Adds the rows of the tokens to `sums`; the unit of the sums is some power of two. */
  addTo(sums: Float64Array, ids: readonly number[]): void {
    for (let from = 0; from < ids.length; from += 2 * PAIRS) {
      const pairs = Math.ceil(Math.min(2 * PAIRS, ids.length - from) / 2)
      for (let pair = 0; pair < pairs; pair++)
        this.#setPair(pair * PAIR_NUMBERS, ids[from + 2 * pair]!, ids[from + 2 * pair + 1], sums.length)
      this.#sumPairs(pairs)
      for (let column = 0; column < sums.length; column++)
        sums[column]! += this.#uppers[column]! * HALF + this.#lowers[column]!
    }
  }

  /** A last token without a neighbour is paired with itself, at scale zero. */
  #setPair(at: number, first: number, second: number | undefined, dimensions: number): void {
    const one = this.#scales[first]!
    const two = second === undefined ? 0 : this.#scales[second]!
    this.#pairs[at] = this.#rows + first * dimensions
    this.#pairs[at + 1] = this.#rows + (second ?? first) * dimensions
    this.#pairs[at + 2] = (one >>> HALF_BITS) | ((two >>> HALF_BITS) << 16)
    this.#pairs[at + 3] = (one % HALF) | ((two % HALF) << 16)
  }
}

/** The scales as multiples of the smallest power of two for which the largest has at most 28 bits. */
function wholeScales(scales: Float32Array): Int32Array {
  const largest = scales.reduce((left, right) => Math.max(left, right), 0)
  const unit = 2 ** (Math.floor(Math.log2(largest)) + 1 - 2 * HALF_BITS)
  return Int32Array.from(scales, (scale) => Math.round(scale / unit))
}
