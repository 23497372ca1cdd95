import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BytesRead } from './run-progress.ts'

const upload = (name: string, size: number) => ({ name, size, path: `/${name}`, sha256: '' })

test('BytesRead counts files that are done, and of plain texts the part that was read', () => {
  const read = new BytesRead([upload('a.txt', 1000), upload('b.pdf', 3000)])
  assert.deepEqual([read.total, read.done], [4000, 0])
  read.text('a.txt', 400)
  read.text('b.pdf', 400)
  assert.equal(read.done, 400)
  read.text('a.txt', 900)
  assert.equal(read.done, 1000, 'never more than the file')
  read.file('a.txt')
  read.file('b.pdf')
  assert.equal(read.done, 4000)
})

test('BytesRead counts nothing of what was not uploaded', () => {
  const read = new BytesRead()
  read.text('a page', 400)
  read.file('a page')
  assert.deepEqual([read.total, read.done], [0, 0])
})
