import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeZip } from '../../test/support/zip-writer.ts'
import { FILE_LIMITS, type FileLimits } from './limits.ts'
import { openZip } from './zip.ts'

const open = (bytes: Uint8Array, limits: Partial<FileLimits> = {}) =>
  openZip({ bytes, name: 'a.zip' }, { ...FILE_LIMITS, ...limits })
const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()

test('openZip reads packed and stored files, whatever the case and slashes of their names', () => {
  for (const stored of [false, true]) {
    const zip = open(writeZip({ 'Word\\Document.xml': 'hello', 'b.xml': '' }, { stored }))
    assert.equal(textOf(zip.read('word/document.xml')), 'hello')
    assert.equal(textOf(zip.read('/b.xml')), '')
    assert.equal(zip.read('c.xml'), undefined)
    assert.deepEqual([zip.has('B.XML'), zip.has('c.xml')], [true, false])
  }
})

test('openZip finds an archive after other bytes and before a comment', () => {
  const bytes = Buffer.concat([Buffer.from('before'), writeZip({ a: 'hello' }), Buffer.from('a comment')])
  assert.equal(textOf(open(bytes).read('a')), 'hello')
})

test('openZip takes the first of two files with one name', () => {
  assert.equal(textOf(open(writeZip({ 'a.xml': 'first', 'A.xml': 'second' })).read('a.xml')), 'first')
})

test('openZip reads the 64-bit numbers of ZIP64', () => {
  const plain = writeZip({ a: 'hello' })
  const end = plain.length - 22
  const record = Buffer.alloc(56 + 20)
  record.write('PK\x06\x06', 'latin1')
  record.writeBigUInt64LE(1n, 32)
  record.writeBigUInt64LE(BigInt(plain.readUInt32LE(end + 16)), 48)
  record.write('PK\x06\x07', 56, 'latin1')
  record.writeBigUInt64LE(BigInt(end), 64)
  const last = Buffer.from(plain.subarray(end))
  last.writeUInt32LE(0xffffffff, 16)
  assert.equal(textOf(open(Buffer.concat([plain.subarray(0, end), record, last])).read('a')), 'hello')
})

test('openZip refuses other files, and archives that are cut off or have offsets outside of them', () => {
  const whole = writeZip({ a: 'hello'.repeat(100) })
  const outside = Buffer.from(whole)
  outside.writeUInt32LE(0x7fffffff, outside.length - 6)
  const damaged = [Buffer.from('hello'), Buffer.alloc(0), whole.subarray(0, whole.length - 10), outside]
  for (const bytes of damaged) assert.throws(() => open(bytes), { code: 'file_unreadable' })
})

test('openZip refuses damaged data, unknown methods and encrypted files only when they are read', () => {
  const damaged = Buffer.from(writeZip({ a: 'hello'.repeat(100) }))
  damaged.fill(0xff, 31, 36)
  assert.throws(() => open(damaged).read('a'), { code: 'file_unreadable' })
  const unknown = open(writeZip({ a: 'hello' }, { method: 99 }))
  assert.throws(() => unknown.read('a'), { code: 'file_unreadable' })
  const locked = open(writeZip({ a: 'hello' }, { encrypted: true }))
  assert.throws(() => locked.read('a'), { code: 'file_encrypted' })
})

test('openZip refuses more files than allowed', () => {
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`f${index}`, 'x']))
  assert.equal(textOf(open(writeZip(files), { zipEntries: 5 }).read('f4')), 'x')
  assert.throws(() => open(writeZip(files), { zipEntries: 4 }), { code: 'file_over_limit' })
})

test('openZip refuses sizes over the limits, declared or real', () => {
  const bomb = Buffer.alloc(4 << 20)
  const refused = { code: 'file_over_limit' }
  assert.throws(() => open(writeZip({ a: bomb })).read('a'), refused, 'the ratio')
  assert.throws(() => open(writeZip({ a: bomb }, { claimedSize: 10 })).read('a'), refused, 'a lie')
  assert.throws(() => open(writeZip({ a: 'x' }, { claimedSize: 2 ** 30 })), refused, 'the sum')
  const honest = writeZip({ a: 'x'.repeat(2000), b: 'y'.repeat(2000) })
  assert.throws(() => open(honest, { zipEntryBytes: 1999 }).read('a'), refused, 'one file')
  assert.equal(open(honest, { zipEntryBytes: 2000 }).read('a')?.length, 2000)
})

test('openZip counts all inflated bytes against one budget, also of a file that is read twice', () => {
  const zip = open(writeZip({ a: 'x'.repeat(1000) }), { zipBytes: 2500 })
  zip.read('a')
  zip.read('a')
  assert.throws(() => zip.read('a'), { code: 'file_over_limit' })
})
