import { loopWhile, select } from '../kit/wasm/code.ts'
import { type WasmFunction, wasmFunction } from '../kit/wasm/module.ts'
import { f32, f32x4, f64, f64x2, i16x8, i32, i32x4, i8x16, v128 } from '../kit/wasm/operations.ts'
import { advance, range } from './kernel-parts.ts'

/** Codes are whole numbers from minus this to this, stored plus 64: seven bits, as the fastest dot product takes them. */
const LARGEST_CODE = 63

/**
 * `encode(vector, end, codes, scale, norm)`: writes the float32 numbers from `vector` to `end`, a multiple of 16, as
 * codes, rounded to the nearest; to `scale` the value of one step of a code; to `norm` the length of the vector. A
 * vector whose numbers are too small for a float32 scale has norm 0.
 */
export const encode = (): WasmFunction =>
  wasmFunction(
    'encode',
    { vector: 'i32', end: 'i32', codes: 'i32', scale: 'i32', norm: 'i32' },
    ({ vector, end, codes, scale, norm }, variable) => {
      const at = variable('i32')
      const four = variable('v128')
      const tops = variable('v128')
      const squares = variable('v128')
      const step = variable('f32')
      const steps = variable('v128')
      const highHalf = i8x16.shuffle(
        four,
        four,
        [...range(8), ...range(8)].map((byte) => byte + 8),
      )
      const addSquares = (half: typeof four | typeof highHalf) => {
        const wide = f64x2.promoteLowF32x4(half)
        return squares.set(f64x2.add(squares, f64x2.mul(wide, wide)))
      }
      const top = range(4)
        .map((lane) => f32x4.extract(tops, lane))
        .reduce((left, right) => f32.max(left, right))
      const rounded = (place: number) =>
        i32x4.truncateF32x4(f32x4.nearest(f32x4.div(v128.load(at, place * 16), steps)))
      const sixteen = i8x16.narrowI16x8(
        i16x8.narrowI32x4(rounded(0), rounded(1)),
        i16x8.narrowI32x4(rounded(2), rounded(3)),
      )
      const bytes = (value: number) => i8x16.splat(i32.const(value))
      return {
        steps: [
          at.set(vector),
          loopWhile(i32.ltU(at, end), [
            four.set(v128.load(at)),
            tops.set(f32x4.max(tops, f32x4.abs(four))),
            addSquares(four),
            addSquares(highHalf),
            advance(at, 16),
          ]),
          step.set(f32.div(top, f32.const(LARGEST_CODE))),
          f32.store(scale, step),
          f32.store(
            norm,
            select(
              f32.gt(step, f32.const(0)),
              f32.demote(f64.sqrt(f64.add(f64x2.extract(squares, 0), f64x2.extract(squares, 1)))),
              f32.const(0),
            ),
          ),
          steps.set(f32x4.splat(step)),
          at.set(vector),
          loopWhile(i32.ltU(at, end), [
            v128.store(
              codes,
              i8x16.add(i8x16.max(i8x16.min(sixteen, bytes(LARGEST_CODE)), bytes(-LARGEST_CODE)), bytes(64)),
            ),
            advance(at, 64),
            advance(codes, 16),
          ]),
        ],
      }
    },
  )
