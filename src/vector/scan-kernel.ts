import { type Local, loopWhile, select, type Step, type Value, when } from '../kit/wasm/code.ts'
import { instantiate, type WasmFunction, wasmFunction, wasmModule } from '../kit/wasm/module.ts'
import { f32, f32x4, i8x16, i16x8, i32, i32x4, i64, v128 } from '../kit/wasm/operations.ts'

/** Rows are padded with zeros to a multiple of this many int8. */
export const ROW_ALIGNMENT = 32

/** What a kernel writes for each slot that beats the threshold: the slot as int32, its score as float32. */
export const HIT_BYTES = 8

/** What the bits of a query's code count in {@link ScanKernel}.compareSigns: two's complement. */
export const PLANE_WEIGHTS = [1, 2, 4, -8]
export const LARGEST_PLANE_CODE = 7

/** The most columns that are written out one after another; longer rows repeat such a part. */
const UNROLLED = 512

/**
 * The kernels for rows of `stride` int8, over blocks of slots in a shared memory. Both go through a list of slots
 * (int32, from `list` to `end`), write a hit for each score above the threshold and answer where the hits end.
 *
 * `scan(list, end, hits, codes, scales, norms, query, weight, threshold, cosine, euclid)`: the score is
 * code · query × weight × scale; over the norm where `cosine` is 1; minus the norm squared where `euclid` is 1. A slot
 * whose scale is NaN scores NaN, which is above no threshold: that is how a removed slot is passed over.
 *
 * `compareSigns(list, end, hits, signs, planes, threshold)`: the score is minus the sum of the query's codes, of 4 bits,
 * where the sign is negative: as good as the sum of all with the signs given to them. The codes are cut into planes:
 * all their lowest bits, then all second ones, and so on (as in Gao, Long, "RaBitQ", 2024).
 *
 * `takeSigns(codes, end, signs)`: writes the sign bits of the codes between two addresses, multiples of 16 apart.
 */
export type ScanKernel = Record<'scan' | 'compareSigns' | 'takeSigns', (...numbers: number[]) => number>

/** The kernels for a stride, at work on a memory. */
export function scanKernel(stride: number, memory: WebAssembly.Memory): ScanKernel {
  let module = modules.get(stride)
  if (!module) {
    module = wasmModule([scan(stride), compareSigns(stride), takeSigns()], { shared: true })
    modules.set(stride, module)
  }
  return instantiate(module, memory) as ScanKernel
}

const modules = new Map<number, WebAssembly.Module>()

const scan = (stride: number): WasmFunction =>
  wasmFunction(
    'scan',
    {
      ...{ list: 'i32', end: 'i32', hits: 'i32', codes: 'i32', scales: 'i32', norms: 'i32', query: 'i32' },
      ...{ weight: 'f32', threshold: 'f32', cosine: 'i32', euclid: 'i32' },
    },
    ({ list, end, hits, codes, scales, norms, query, weight, threshold, cosine, euclid }, variable) => {
      const slot = variable('i32')
      const row = variable('i32')
      const factor = variable('i32')
      const rowEnd = variable('i32')
      const products = variable('v128')
      const bytes = variable('v128')
      const norm = variable('f32')
      const score = variable('f32')
      const part = partOf(stride)
      const addProducts = range(part / 16).flatMap((sixteen) => [
        bytes.set(v128.load(row, sixteen * 16)),
        ...[i16x8.extendLowI8x16(bytes), i16x8.extendHighI8x16(bytes)].map((numbers, half) =>
          products.set(
            i32x4.add(products, i32x4.dotI16x8(numbers, v128.load(factor, sixteen * 32 + half * 16))),
          ),
        ),
      ])
      const wordOf = (array: Value<'i32'>) => f32.load(i32.add(array, i32.mul(slot, i32.const(4))))
      return {
        steps: [
          loopWhile(i32.ltU(list, end), [
            slot.set(i32.load(list)),
            advance(list, 4),
            row.set(i32.add(codes, i32.mul(slot, i32.const(stride)))),
            rowEnd.set(i32.add(row, i32.const(stride))),
            factor.set(query),
            products.set(v128.zero),
            ...repeat(row, rowEnd, stride, [...addProducts, advance(row, part), advance(factor, part * 2)]),
            norm.set(wordOf(norms)),
            score.set(
              f32.sub(
                f32.div(
                  f32.mul(f32.mul(sumOfLanes(products), weight), wordOf(scales)),
                  select(cosine, norm, f32.const(1)),
                ),
                select(euclid, f32.mul(norm, norm), f32.const(0)),
              ),
            ),
            ...writeHit(hits, slot, score, threshold),
          ]),
        ],
        result: hits,
      }
    },
  )

/** Four int32 as one float32; as int32 their sum might not fit. */
function sumOfLanes(lanes: Value<'v128'>): Value<'f32'> {
  const floats = f32x4.convertI32x4(lanes)
  return range(4)
    .map((lane) => f32x4.extract(floats, lane))
    .reduce((left, right) => f32.add(left, right))
}

const compareSigns = (stride: number): WasmFunction =>
  wasmFunction(
    'compareSigns',
    { list: 'i32', end: 'i32', hits: 'i32', signs: 'i32', planes: 'i32', threshold: 'f32' },
    ({ list, end, hits, signs, planes, threshold }, variable) => {
      const slot = variable('i32')
      const row = variable('i32')
      const score = variable('f32')
      const bits = variable('i64')
      const counts = PLANE_WEIGHTS.map(() => variable('i64'))
      const signBytes = stride / 8
      const countWord = (at: number) => {
        const load = at + 8 <= signBytes ? i64.load : i64.load32
        return [
          bits.set(load(row, at)),
          ...counts.map((count, plane) =>
            count.set(i64.add(count, i64.popcnt(i64.and(bits, load(planes, plane * signBytes + at))))),
          ),
        ]
      }
      const sum = counts
        .map((count, plane) => i32.mul(i32.wrapI64(count), i32.const(PLANE_WEIGHTS[plane]!)))
        .reduce((left, right) => i32.add(left, right))
      return {
        steps: [
          loopWhile(i32.ltU(list, end), [
            slot.set(i32.load(list)),
            advance(list, 4),
            row.set(i32.add(signs, i32.mul(slot, i32.const(signBytes)))),
            ...counts.map((count) => count.set(i64.const0)),
            ...range(Math.ceil(signBytes / 8)).flatMap((word) => countWord(word * 8)),
            score.set(f32.sub(f32.const(0), f32.convertI32(sum))),
            ...writeHit(hits, slot, score, threshold),
          ]),
        ],
        result: hits,
      }
    },
  )

const takeSigns = (): WasmFunction =>
  wasmFunction('takeSigns', { codes: 'i32', end: 'i32', signs: 'i32' }, (at) => ({
    steps: [
      loopWhile(i32.ltU(at.codes, at.end), [
        i32.store16(at.signs, i8x16.bitmask(v128.load(at.codes))),
        advance(at.codes, 16),
        advance(at.signs, 2),
      ]),
    ],
  }))

function writeHit(
  hits: Local<'i32'>,
  slot: Value<'i32'>,
  score: Value<'f32'>,
  threshold: Value<'f32'>,
): Step[] {
  return [
    when(f32.gt(score, threshold), [
      i32.store(hits, slot),
      f32.store(hits, score, 4),
      advance(hits, HIT_BYTES),
    ]),
  ]
}

/** The largest part of a row that is written out, a whole fraction of it. */
function partOf(stride: number): number {
  let parts = Math.ceil(stride / UNROLLED)
  while (stride % (parts * ROW_ALIGNMENT) !== 0) parts++
  return stride / parts
}

/** The steps of one part for the whole row. */
function repeat(at: Local<'i32'>, end: Value<'i32'>, stride: number, steps: Step[]): Step[] {
  return partOf(stride) === stride ? steps : [loopWhile(i32.ltU(at, end), steps)]
}

const advance = (address: Local<'i32'>, bytes: number): Step =>
  address.set(i32.add(address, i32.const(bytes)))

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
