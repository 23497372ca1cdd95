import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FLOAT_BYTES, writeFloat } from './float-text.ts'

function textOf(value: number): string {
  const bytes = new Uint8Array(FLOAT_BYTES)
  return Buffer.from(bytes.subarray(0, writeFloat(bytes, 0, value))).toString()
}

/** The number of 32 bits with these bits. */
function floatOf(bits: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, bits)
  return view.getFloat32(0)
}

test('every finite number of 32 bits comes back from its text as it was, in few bytes', () => {
  const seen = new Set<number>()
  // All exponents and signs, with mantissas at both ends and between.
  for (let exponent = 0; exponent < 255; exponent++)
    for (const mantissa of [0, 1, 2, 0x2a_aaaa, 0x55_5555, 0x7f_fffe, 0x7f_ffff])
      for (const sign of [0, 2 ** 31]) seen.add(floatOf(sign + exponent * 2 ** 23 + mantissa))
  for (let n = 0; n < 20_000; n++) seen.add(Math.fround(Math.sin(n * 12.9898) * 10 ** ((n % 7) - 6)))
  // The nearest to the powers of ten, and their neighbours.
  for (const power of [1000, 100, 10, 1, 0.1, 0.01, 0.001, 0.0001])
    for (const near of [power, power * (1 - 6e-8), power * (1 + 1.2e-7)]) seen.add(Math.fround(near))
  for (const value of seen) {
    const text = textOf(value)
    assert.equal(Math.fround(JSON.parse(text) as number), value + 0, `${value} as ${text}`)
    assert.ok(text.length < FLOAT_BYTES, text)
  }
})

test('numbers are written without zeros at the end', () => {
  assert.deepEqual([0.5, -0.25, 0, -0, 1, -3, 100, 20.5, 0.0009765625].map(textOf), [
    ...['0.5', '-0.25', '0', '0', '1', '-3', '100', '20.5', '0.0009765625'],
  ])
})
