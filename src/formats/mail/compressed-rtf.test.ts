import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unpackRtf } from './compressed-rtf.ts'

/** The examples of [MS-OXRTFCP] 4.1 and 4.2. */
const EXAMPLES: [packed: string, text: string][] = [
  [
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
    '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
  ],
  ['1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0', '{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}'],
]

test('unpackRtf() unpacks the examples of the specification', () => {
  for (const [packed, text] of EXAMPLES) {
    const { bytes, isWhole } = unpackRtf(Buffer.from(packed, 'hex'), 1000)!
    assert.deepEqual([bytes.toString('latin1'), isWhole], [text, true])
  }
})

test('unpackRtf() tells of a text that was cut, changed or is longer than it may be', () => {
  const [packed, text] = EXAMPLES[0]!
  const bytes = Buffer.from(packed, 'hex')
  const changed = Buffer.from(bytes)
  changed[30]! ^= 1
  for (const wrong of [changed, bytes.subarray(0, -3), bytes.subarray(0, 20)])
    assert.equal(unpackRtf(wrong, 1000)!.isWhole, false)
  const cut = unpackRtf(bytes, 10)!
  assert.deepEqual([cut.bytes.toString('latin1'), cut.isWhole], [text.slice(0, 10), false])
  assert.equal(unpackRtf(Buffer.from('{\\rtf1 not packed at all}'), 1000), undefined)
  assert.equal(unpackRtf(Buffer.alloc(3), 1000), undefined)
})

test('unpackRtf() takes a text that is not compressed', () => {
  const text = Buffer.from('{\\rtf1 plain}')
  const head = Buffer.alloc(16)
  head.writeUInt32LE(12 + text.length, 0)
  head.writeUInt32LE(text.length, 4)
  head.write('MELA', 8)
  assert.deepEqual(unpackRtf(Buffer.concat([head, text]), 1000), { bytes: text, isWhole: true })
})
