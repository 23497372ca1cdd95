import { type Kind, signed, type Step, unsigned, type Value } from './code.ts'

/*
 * The instructions that the kernels use, under the names of the specification. An address may be followed by a fixed
 * offset in bytes. Add a line for what is missing: https://webassembly.github.io/spec/core/appendix/index-instructions.html
 */

const operation =
  <Result extends Kind, Operands extends Kind[]>(kind: Result, ...code: number[]) =>
  (...operands: { [I in keyof Operands]: Value<Operands[I]> }): Value<Result> => ({
    kind,
    code: [...operands.flatMap((operand) => [...operand.code]), ...code],
  })

const vector = (number: number): number[] => [0xfd, ...unsigned(number)]

// Every access promises only byte alignment: a promise of more gains nothing on today's machines.
const load =
  <Result extends Kind>(kind: Result, ...code: number[]) =>
  (address: Value<'i32'>, offset = 0): Value<Result> => ({
    kind,
    code: [...address.code, ...code, 0, ...unsigned(offset)],
  })

const store =
  <Stored extends Kind>(_kind: Stored, ...code: number[]) =>
  (address: Value<'i32'>, value: Value<Stored>, offset = 0): Step => ({
    code: [...address.code, ...value.code, ...code, 0, ...unsigned(offset)],
  })

const lane =
  <Result extends Kind>(kind: Result, number: number) =>
  (value: Value<'v128'>, place: number): Value<Result> => ({
    kind,
    code: [...value.code, ...vector(number), place],
  })

type I32x2 = ['i32', 'i32']
type I64x2 = ['i64', 'i64']
type F32x2 = ['f32', 'f32']
type V128 = ['v128']
type V128x2 = ['v128', 'v128']

export const i32 = {
  const: (value: number): Value<'i32'> => ({ kind: 'i32', code: [0x41, ...signed(value)] }),
  load: load('i32', 0x28),
  store: store('i32', 0x36),
  /** The lower two bytes. */
  store16: store('i32', 0x3b),
  eqz: operation<'i32', ['i32']>('i32', 0x45),
  ltU: operation<'i32', I32x2>('i32', 0x49),
  add: operation<'i32', I32x2>('i32', 0x6a),
  sub: operation<'i32', I32x2>('i32', 0x6b),
  mul: operation<'i32', I32x2>('i32', 0x6c),
  wrapI64: operation<'i32', ['i64']>('i32', 0xa7),
}

export const i64 = {
  const0: { kind: 'i64', code: [0x42, 0] } as Value<'i64'>,
  load: load('i64', 0x29),
  /** Four bytes, without sign. */
  load32: load('i64', 0x35),
  add: operation<'i64', I64x2>('i64', 0x7c),
  and: operation<'i64', I64x2>('i64', 0x83),
  popcnt: operation<'i64', ['i64']>('i64', 0x7b),
}

export const f32 = {
  const: (value: number): Value<'f32'> => ({
    kind: 'f32',
    code: [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  }),
  load: load('f32', 0x2a),
  store: store('f32', 0x38),
  gt: operation<'i32', F32x2>('i32', 0x5e),
  add: operation<'f32', F32x2>('f32', 0x92),
  sub: operation<'f32', F32x2>('f32', 0x93),
  mul: operation<'f32', F32x2>('f32', 0x94),
  div: operation<'f32', F32x2>('f32', 0x95),
  convertI32: operation<'f32', ['i32']>('f32', 0xb2),
}

export const v128 = {
  load: load('v128', ...vector(0)),
  /** Four bytes, four times. */
  load32Splat: load('v128', ...vector(9)),
  store: store('v128', ...vector(11)),
  zero: { kind: 'v128', code: [...vector(12), ...new Array<number>(16).fill(0)] } as Value<'v128'>,
}

export const i8x16 = {
  /** Picks sixteen bytes out of the thirty-two of both. */
  shuffle: (first: Value<'v128'>, second: Value<'v128'>, places: readonly number[]): Value<'v128'> => ({
    kind: 'v128',
    code: [...first.code, ...second.code, ...vector(13), ...places],
  }),
  /** The sign bits. */
  bitmask: operation<'i32', V128>('i32', ...vector(100)),
}

export const i16x8 = {
  extendLowI8x16: operation<'v128', V128>('v128', ...vector(135)),
  extendHighI8x16: operation<'v128', V128>('v128', ...vector(136)),
}

export const i32x4 = {
  extendLowI16x8: operation<'v128', V128>('v128', ...vector(167)),
  extendHighI16x8: operation<'v128', V128>('v128', ...vector(168)),
  add: operation<'v128', V128x2>('v128', ...vector(174)),
  /** Products of int16, added in pairs. */
  dotI16x8: operation<'v128', V128x2>('v128', ...vector(186)),
}

export const f32x4 = {
  extract: lane('f32', 31),
  add: operation<'v128', V128x2>('v128', ...vector(228)),
  convertI32x4: operation<'v128', V128>('v128', ...vector(250)),
}
