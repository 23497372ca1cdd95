import { type Local, loopWhile, type Step, type Value, when } from '../kit/wasm/code.ts'
import { f32, i32 } from '../kit/wasm/operations.ts'

/** What a kernel writes for each slot that is good enough: the slot as int32, its score as float32. */
export const HIT_BYTES = 8

/** Writes a hit where a condition holds. */
export const writeHit = (
  condition: Value<'i32'>,
  hits: Local<'i32'>,
  slot: Value<'i32'>,
  score: Value<'f32'>,
): Step[] => [when(condition, [i32.store(hits, slot), f32.store(hits, score, 4), advance(hits, HIT_BYTES)])]

/**
 * Steps for `total` columns: written out, or where those are more than `most`, written out for a whole fraction of them
 * and repeated. `left` is a variable that only this loop uses, to count the rounds.
 */
export function repeat(
  left: Local<'i32'>,
  total: number,
  most: number,
  stepsFor: (columns: number) => Step[],
): Step[] {
  let rounds = Math.ceil(total / most)
  while (total % rounds !== 0) rounds++
  if (rounds === 1) return stepsFor(total)
  return [
    left.set(i32.const(rounds)),
    loopWhile(left, [...stepsFor(total / rounds), left.set(i32.sub(left, i32.const(1)))]),
  ]
}

export const advance = (address: Local<'i32'>, bytes: number): Step =>
  address.set(i32.add(address, i32.const(bytes)))

export const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
