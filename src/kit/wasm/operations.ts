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

// Every access declares byte alignment only: more gains nothing on today's machines.
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
type F32x2 = ['f32', 'f32']
type F64x2 = ['f64', 'f64']
type V128 = ['v128']
type V128x2 = ['v128', 'v128']
type Shift = ['v128', 'i32']

export const i32 = {
  const: (value: number): Value<'i32'> => ({ kind: 'i32', code: [0x41, ...signed(value)] }),
  load: load('i32', 0x28),
  store: store('i32', 0x36),
  /** One byte, without sign. */
  load8: load('i32', 0x2d),
  /** Two bytes, without sign. */
  load16: load('i32', 0x2f),
  /** The lowest byte. */
  store8: store('i32', 0x3a),
  eqz: operation<'i32', ['i32']>('i32', 0x45),
  ltU: operation<'i32', I32x2>('i32', 0x49),
  geU: operation<'i32', I32x2>('i32', 0x4f),
  gtU: operation<'i32', I32x2>('i32', 0x4b),
  add: operation<'i32', I32x2>('i32', 0x6a),
  sub: operation<'i32', I32x2>('i32', 0x6b),
  mul: operation<'i32', I32x2>('i32', 0x6c),
  and: operation<'i32', I32x2>('i32', 0x71),
  or: operation<'i32', I32x2>('i32', 0x72),
  shl: operation<'i32', I32x2>('i32', 0x74),
  shrU: operation<'i32', I32x2>('i32', 0x76),
}

export const f32 = {
  const: (value: number): Value<'f32'> => ({
    kind: 'f32',
    code: [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  }),
  load: load('f32', 0x2a),
  store: store('f32', 0x38),
  gt: operation<'i32', F32x2>('i32', 0x5e),
  ge: operation<'i32', F32x2>('i32', 0x60),
  add: operation<'f32', F32x2>('f32', 0x92),
  sub: operation<'f32', F32x2>('f32', 0x93),
  mul: operation<'f32', F32x2>('f32', 0x94),
  div: operation<'f32', F32x2>('f32', 0x95),
  max: operation<'f32', F32x2>('f32', 0x97),
  convertI32: operation<'f32', ['i32']>('f32', 0xb2),
  demote: operation<'f32', ['f64']>('f32', 0xb6),
}

export const f64 = {
  sqrt: operation<'f64', ['f64']>('f64', 0x9f),
  add: operation<'f64', F64x2>('f64', 0xa0),
}

export const v128 = {
  load: load('v128', ...vector(0)),
  /** Four bytes, four times. */
  load32Splat: load('v128', ...vector(9)),
  store: store('v128', ...vector(11)),
  and: operation<'v128', V128x2>('v128', ...vector(78)),
  or: operation<'v128', V128x2>('v128', ...vector(80)),
  anyTrue: operation<'i32', V128>('i32', ...vector(83)),
  zero: { kind: 'v128', code: [...vector(12), ...new Array<number>(16).fill(0)] } as Value<'v128'>,
}

export const i8x16 = {
  /** Picks sixteen bytes out of the thirty-two of both. */
  shuffle: (first: Value<'v128'>, second: Value<'v128'>, places: readonly number[]): Value<'v128'> => ({
    kind: 'v128',
    code: [...first.code, ...second.code, ...vector(13), ...places],
  }),
  splat: operation<'v128', ['i32']>('v128', ...vector(15)),
  /** The sign bits. */
  bitmask: operation<'i32', V128>('i32', ...vector(100)),
  /** From int16; values out of range become the largest or the smallest. */
  narrowI16x8: operation<'v128', V128x2>('v128', ...vector(101)),
  shl: operation<'v128', Shift>('v128', ...vector(107)),
  shrU: operation<'v128', Shift>('v128', ...vector(109)),
  add: operation<'v128', V128x2>('v128', ...vector(110)),
  min: operation<'v128', V128x2>('v128', ...vector(118)),
  max: operation<'v128', V128x2>('v128', ...vector(120)),
  /** Looks the bytes of the second up in the first; they have to be below 16. */
  relaxedSwizzle: operation<'v128', V128x2>('v128', ...vector(256)),
}

export const i16x8 = {
  extendLowI8x16: operation<'v128', V128>('v128', ...vector(135)),
  extendHighI8x16: operation<'v128', V128>('v128', ...vector(136)),
  splat: operation<'v128', ['i32']>('v128', ...vector(16)),
  geU: operation<'v128', V128x2>('v128', ...vector(54)),
  /** From int32; values out of range become the largest or the smallest. */
  narrowI32x4: operation<'v128', V128x2>('v128', ...vector(133)),
  shl: operation<'v128', Shift>('v128', ...vector(139)),
  shrU: operation<'v128', Shift>('v128', ...vector(141)),
  add: operation<'v128', V128x2>('v128', ...vector(142)),
  sub: operation<'v128', V128x2>('v128', ...vector(145)),
}

export const i32x4 = {
  extendLowI16x8: operation<'v128', V128>('v128', ...vector(167)),
  extendHighI16x8: operation<'v128', V128>('v128', ...vector(168)),
  splat: operation<'v128', ['i32']>('v128', ...vector(17)),
  shl: operation<'v128', Shift>('v128', ...vector(171)),
  shrU: operation<'v128', Shift>('v128', ...vector(173)),
  add: operation<'v128', V128x2>('v128', ...vector(174)),
  /** Products of int16, added in pairs. */
  dotI16x8: operation<'v128', V128x2>('v128', ...vector(186)),
  /**
   * Products of int8 with numbers from 0 to 127, added by fours, plus the third. "Relaxed" means that machines
   * differ for other numbers; for these the sums are exact. One instruction where the machine has VNNI.
   */
  relaxedDotI8x16I7x16Add: operation<'v128', ['v128', 'v128', 'v128']>('v128', ...vector(275)),
  truncateF32x4: operation<'v128', V128>('v128', ...vector(248)),
  extract: lane('i32', 27),
}

export const f32x4 = {
  splat: operation<'v128', ['f32']>('v128', ...vector(19)),
  extract: lane('f32', 31),
  ge: operation<'v128', V128x2>('v128', ...vector(70)),
  nearest: operation<'v128', V128>('v128', ...vector(106)),
  abs: operation<'v128', V128>('v128', ...vector(224)),
  add: operation<'v128', V128x2>('v128', ...vector(228)),
  mul: operation<'v128', V128x2>('v128', ...vector(230)),
  div: operation<'v128', V128x2>('v128', ...vector(231)),
  /** NaN where one of them is. */
  max: operation<'v128', V128x2>('v128', ...vector(233)),
}

export const f64x2 = {
  extract: lane('f64', 33),
  promoteLowF32x4: operation<'v128', V128>('v128', ...vector(95)),
  add: operation<'v128', V128x2>('v128', ...vector(240)),
  mul: operation<'v128', V128x2>('v128', ...vector(242)),
}
