import { loopWhile, when } from '../kit/wasm/code.ts'
import { type WasmFunction, wasmFunction } from '../kit/wasm/module.ts'
import { f32, i16x8, i32, i8x16, v128 } from '../kit/wasm/operations.ts'
import { advance, range, repeat, writeHit } from './kernel-parts.ts'

/** How many slots have their signs side by side: a byte of each, side by side, then the next byte of each. */
export const SIGN_GROUP = 16

/** The entries of a table, one for each way that four signs can be. */
export const TABLE_ENTRIES = 16

/** The most columns of 8 signs that are written out one after another. */
const UNROLLED = 64

/**
 * `compareSigns(group, end, place, hits, tables, threshold, sums)`: goes through groups of slots, the first of which has
 * the number `place`, writes a hit for each score of at least the threshold and returns the end of the hits. A score is
 * the sum of the table entries of every four signs. `sums` is room for 32 bytes.
 *
 * Sixteen slots at once, by table look-ups of bytes: André, Kermarrec, Le Scouarnec, "Cache locality is not enough", 2015.
 */
export const compareSigns = (stride: number): WasmFunction =>
  wasmFunction(
    'compareSigns',
    { group: 'i32', end: 'i32', place: 'i32', hits: 'i32', tables: 'i32', threshold: 'i32', sums: 'i32' },
    ({ group, end, place, hits, tables, threshold, sums }, variable) => {
      const table = variable('i32')
      const bytes = variable('v128')
      const both = variable('v128')
      const together = variable('v128')
      const odd = variable('v128')
      const even = variable('v128')
      const score = variable('i32')
      const addColumn = (column: number) => [
        bytes.set(v128.load(group, column * SIGN_GROUP)),
        both.set(
          i8x16.add(
            i8x16.relaxedSwizzle(
              v128.load(table, 2 * column * TABLE_ENTRIES),
              v128.and(bytes, i8x16.splat(i32.const(15))),
            ),
            i8x16.relaxedSwizzle(
              v128.load(table, (2 * column + 1) * TABLE_ENTRIES),
              i8x16.shrU(bytes, i32.const(4)),
            ),
          ),
        ),
        // Pairs of bytes as 16 bits: the sum of the odd ones alone, and that of all, from which the even ones follow.
        together.set(i16x8.add(together, both)),
        odd.set(i16x8.add(odd, i16x8.shrU(both, i32.const(8)))),
      ]
      const reaches = (lanes: typeof odd) => i16x8.geU(lanes, i16x8.splat(threshold))
      return {
        steps: [
          loopWhile(i32.ltU(group, end), [
            table.set(tables),
            together.set(v128.zero),
            odd.set(v128.zero),
            ...repeat(variable('i32'), stride / 8, UNROLLED, (columns) => [
              ...range(columns).flatMap(addColumn),
              advance(group, columns * SIGN_GROUP),
              advance(table, columns * 2 * TABLE_ENTRIES),
            ]),
            even.set(i16x8.sub(together, i16x8.shl(odd, i32.const(8)))),
            when(v128.anyTrue(v128.or(reaches(even), reaches(odd))), [
              v128.store(sums, even),
              v128.store(sums, odd, 16),
              ...range(SIGN_GROUP).flatMap((lane) => [
                score.set(i32.load16(sums, (lane % 2) * 16 + (lane >> 1) * 2)),
                ...writeHit(
                  i32.geU(score, threshold),
                  hits,
                  i32.add(place, i32.const(lane)),
                  f32.convertI32(score),
                ),
              ]),
            ]),
            place.set(i32.add(place, i32.const(SIGN_GROUP))),
          ]),
        ],
        result: hits,
      }
    },
  )

/**
 * `takeSigns(codes, end, signs)`: writes which of the codes between two addresses, multiples of 16 apart, stand for no
 * negative number: a bit each, eight of them in a byte, the bytes {@link SIGN_GROUP} apart.
 */
export const takeSigns = (): WasmFunction =>
  wasmFunction('takeSigns', { codes: 'i32', end: 'i32', signs: 'i32' }, ({ codes, end, signs }, variable) => {
    const bits = variable('i32')
    return {
      steps: [
        loopWhile(i32.ltU(codes, end), [
          bits.set(i8x16.bitmask(i8x16.shl(v128.load(codes), i32.const(1)))),
          i32.store8(signs, bits),
          i32.store8(signs, i32.shrU(bits, i32.const(8)), SIGN_GROUP),
          advance(codes, 16),
          advance(signs, 2 * SIGN_GROUP),
        ]),
      ],
    }
  })
