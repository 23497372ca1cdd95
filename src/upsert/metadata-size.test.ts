import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import { limitedMetadata } from './metadata-size.ts'

const loader = { shapeMetadata: (own: Metadata, added: Metadata) => ({ ...own, ...added }) }

function dress(own: Metadata, added: Metadata = {}) {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  return { metadata: limitedMetadata(1000, loader, { file: 'table.csv', own, added, note }), notes }
}

test('limitedMetadata() keeps metadata within the limit unchanged', () => {
  assert.deepEqual(dress({ row: 1 }, { team: 'x' }), { metadata: { row: 1, team: 'x' }, notes: [] })
})

test('limitedMetadata() leaves out the largest fields of the loader, names them, and keeps all additions', () => {
  const { metadata, notes } = dress(
    { row: 1, cell: 'x'.repeat(5000), other: 'y'.repeat(900), note: 'z'.repeat(2000) },
    { note: 'short', team: 'w'.repeat(500) },
  )
  assert.deepEqual(metadata, { row: 1, note: 'short', team: 'w'.repeat(500) })
  assert.deepEqual(
    notes.map((note) => /field (\w+)/.exec(note)![1]),
    ['cell', 'other'],
  )
})

test('limitedMetadata() refuses additions over the limit, with the file and the size', () => {
  assert.throws(
    () => dress({ row: 1 }, { note: 'é'.repeat(500) }),
    (error: unknown) =>
      error instanceof SluiceError &&
      error.code === 'metadata_too_large' &&
      error.message.includes('table.csv') &&
      error.message.includes('1019'),
  )
})
