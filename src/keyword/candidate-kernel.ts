import { loopWhile, when } from '../kit/wasm/code.ts'
import { type WasmFunction, wasmFunction } from '../kit/wasm/module.ts'
import { f32, f32x4, i32, v128 } from '../kit/wasm/operations.ts'
import { advance, range } from '../vector/kernel-parts.ts'

/** `collect` and `takeTops` go through so many scores at once. */
export const SCORE_GROUP = 64

/**
 * `collect(at, end, out, least)`: writes the number of each score of at least so much to `out`, and returns the end of
 * what was written. The scores are float32, a multiple of `SCORE_GROUP`.
 */
export const collect = (): WasmFunction =>
  wasmFunction(
    'collect',
    { at: 'i32', end: 'i32', out: 'i32', least: 'f32' },
    ({ at, end, out, least }, variable) => {
      const number = variable('i32')
      const reaches = (vector: number) => f32x4.ge(v128.load(at, 16 * vector), f32x4.splat(least))
      return {
        steps: [
          loopWhile(i32.ltU(at, end), [
            when(
              v128.anyTrue(
                range(4)
                  .map(reaches)
                  .reduce((left, right) => v128.or(left, right)),
              ),
              [
                ...range(16).flatMap((place) => [
                  when(f32.ge(f32.load(at, 4 * place), least), [
                    i32.store(out, i32.add(number, i32.const(place))),
                    advance(out, 4),
                  ]),
                ]),
              ],
            ),
            number.set(i32.add(number, i32.const(16))),
            advance(at, 64),
          ]),
        ],
        result: out,
      }
    },
  )

/**
 * `narrow(at, end, scores, least)`: keeps of the numbers between two addresses those with a score of at least so much, in
 * place, and returns their new end.
 */
export const narrow = (): WasmFunction =>
  wasmFunction(
    'narrow',
    { at: 'i32', end: 'i32', scores: 'i32', least: 'f32' },
    ({ at, end, scores, least }, variable) => {
      const out = variable('i32')
      return {
        steps: [
          out.set(at),
          loopWhile(i32.ltU(at, end), [
            when(f32.ge(f32.load(i32.add(scores, i32.shl(i32.load(at), i32.const(2)))), least), [
              i32.store(out, i32.load(at)),
              advance(out, 4),
            ]),
            advance(at, 4),
          ]),
        ],
        result: out,
      }
    },
  )

/** `takeTops(at, end, out)`: writes the highest of every `SCORE_GROUP` scores. */
export const takeTops = (): WasmFunction =>
  wasmFunction('takeTops', { at: 'i32', end: 'i32', out: 'i32' }, ({ at, end, out }, variable) => {
    const tops = variable('v128')
    return {
      steps: [
        loopWhile(i32.ltU(at, end), [
          tops.set(
            range(SCORE_GROUP / 4)
              .map((vector) => v128.load(at, 16 * vector))
              .reduce((left, right) => f32x4.max(left, right)),
          ),
          f32.store(
            out,
            range(4)
              .map((lane) => f32x4.extract(tops, lane))
              .reduce((left, right) => f32.max(left, right)),
          ),
          advance(at, 4 * SCORE_GROUP),
          advance(out, 4),
        ]),
      ],
    }
  })
