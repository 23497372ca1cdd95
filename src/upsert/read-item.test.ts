import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../contract/document.ts'
import { characterSplitter } from '../text/character.ts'
import { readItem } from './read-item.ts'

test('readItem() gives other work a turn for every 64 k characters, also while they give no chunk [formats:bounded-parts]', async () => {
  const parts = Array.from({ length: 20 }, (_, index) => ({
    pageContent: 'x'.repeat(64 * 1024),
    metadata: {},
    last: index === 19,
  }))
  const item = {
    name: 'a.txt',
    source: 'a.txt',
    async *read() {
      yield { parts, notes: [] }
    },
  }
  const splitter = characterSplitter({ chunkSize: 1000, chunkOverlap: 0 })
  const loader = { id: 'a', splitter, dress: (own: Metadata) => own }
  let turns = 0
  let isReading = true
  const count = () => {
    turns++
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const chunks = []
  try {
    for await (const group of readItem(
      { name: 'a.txt', loader, item },
      { addMetadata: {}, metadataBytes: 16_384 },
      () => {},
      AbortSignal.timeout(60_000),
    ))
      chunks.push(...group)
  } finally {
    isReading = false
  }
  assert.equal(chunks.length, 1)
  assert.ok(turns >= 20, `${turns} turns`)
})
