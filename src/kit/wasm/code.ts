/**
 * The smallest assembler for WebAssembly that keeps loops over numbers readable: a {@link Value} is code that leaves one
 * value, a {@link Step} is code that leaves none, and TypeScript checks that the kinds fit. Nothing is optimised here;
 * the engine does that. Encoding: https://webassembly.github.io/spec/core/binary/
 */
export type Kind = 'i32' | 'i64' | 'f32' | 'f64' | 'v128'

export type Value<K extends Kind> = { readonly kind: K; readonly code: readonly number[] }

export type Step = { readonly code: readonly number[] }

/** A parameter or variable of a function: reading it is a value, setting it is a step. */
export type Local<K extends Kind> = Value<K> & { set(value: Value<K>): Step }

export const KIND_CODE: Record<Kind, number> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b }

/** An unsigned number in LEB128. */
export function unsigned(value: number): number[] {
  const low = value % 128
  return value < 128 ? [low] : [low + 128, ...unsigned((value - low) / 128)]
}

/** A signed 32-bit number in LEB128. */
export function signed(value: number): number[] {
  const low = value & 127
  const rest = value >> 7
  const done = rest === 0 ? low < 64 : rest === -1 && low >= 64
  return done ? [low] : [low + 128, ...signed(rest)]
}

/** The variable with this place among a function's parameters and variables. */
export function localAt<K extends Kind>(kind: K, place: number): Local<K> {
  return {
    kind,
    code: [0x20, ...unsigned(place)],
    set: (value) => ({ code: [...value.code, 0x21, ...unsigned(place)] }),
  }
}

export const sequence = (steps: readonly Step[]): number[] => steps.flatMap((step) => [...step.code])

const NO_RESULT = 0x40

/** Repeats the steps as long as the condition holds; it is checked before each round. */
export function loopWhile(condition: Value<'i32'>, steps: readonly Step[]): Step {
  const branchToLoop = [0x0c, 1] // label 0 is the `if`
  const round = [...condition.code, 0x04, NO_RESULT, ...sequence(steps), ...branchToLoop, 0x0b]
  return { code: [0x03, NO_RESULT, ...round, 0x0b] }
}

/** Takes the steps where the condition holds. */
export function when(condition: Value<'i32'>, steps: readonly Step[]): Step {
  return { code: [...condition.code, 0x04, NO_RESULT, ...sequence(steps), 0x0b] }
}

/** One of two values; both are computed. */
export function select<K extends 'i32' | 'i64' | 'f32' | 'f64'>(
  condition: Value<'i32'>,
  yes: Value<K>,
  no: Value<K>,
): Value<K> {
  return { kind: yes.kind, code: [...yes.code, ...no.code, ...condition.code, 0x1b] }
}
