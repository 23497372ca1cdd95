import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCompound } from '../../test/support/compound-writer.ts'
import { openCompoundFile } from './compound-file.ts'

const streams = { Workbook: Buffer.alloc(5000, 'a'), Other: Buffer.from('short') }
const open = (bytes: Uint8Array) => openCompoundFile({ bytes, name: 'a.xls' })
/** Where the table of sectors is: the writer puts it last. */
const table = (file: Buffer) => file.length - 512

test('openCompoundFile() reads streams of any length', () => {
  const file = open(writeCompound(streams))
  for (const [name, bytes] of Object.entries(streams)) {
    assert.deepEqual(file.stream(name), bytes)
    assert.deepEqual(file.stream(name, 3), bytes.subarray(0, 3))
  }
  assert.equal(file.stream('None'), undefined)
})

test('openCompoundFile() refuses chains that lead out of the file or in a circle [formats:old-office]', () => {
  const damages: ((file: Buffer) => void)[] = [
    (file) => file.writeUInt32LE(0, table(file)),
    (file) => file.writeUInt32LE(99_999, table(file)),
    (file) => file.writeUInt32LE(1, table(file) + 4),
    (file) => file.fill(0xff, table(file)),
  ]
  for (const damage of damages) {
    const file = writeCompound(streams)
    damage(file)
    assert.throws(() => open(file).stream('Workbook'), {
      code: 'file_unreadable',
      message: /table of sectors is damaged/,
    })
  }
  for (const [place, value] of [
    [30, 3],
    [48, 5000],
    [68, 2],
    [76, 5000],
  ] as const) {
    const file = writeCompound(streams)
    file.writeUInt16LE(value, place)
    assert.throws(() => open(file).stream('Workbook'), { code: 'file_unreadable' }, String(place))
  }
  assert.throws(() => open(Buffer.alloc(2000)), { code: 'file_unreadable' })
  assert.throws(() => open(writeCompound(streams).subarray(0, 700)).stream('Workbook'), {
    code: 'file_unreadable',
  })
})

test('openCompoundFile() ends at a directory that leads in a circle', () => {
  const file = writeCompound({ One: Buffer.from('x') })
  // the right neighbour of the only stream is itself
  const entry = file.indexOf(Buffer.from('One', 'utf16le'))
  file.writeUInt32LE(1, entry + 72)
  assert.equal(open(file).stream('One')?.toString(), 'x')
})
