import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Metadata } from '../contract/document.ts'
import { characterSplitter } from '../text/character.ts'
import { readItem } from './run-items.ts'

const TURN = 64 * 1024

const IN_PARTS = Array.from({ length: 20 }, (_, index) => ({
  pageContent: 'x'.repeat(TURN),
  metadata: {},
  last: index === 19,
}))
const IN_ONE_PART = [{ pageContent: 'x'.repeat(20 * TURN), metadata: {}, last: true }]

for (const [name, parts] of Object.entries({ 'many parts': IN_PARTS, 'one part': IN_ONE_PART }))
  test(`readItem() gives other work a turn for every 64 k characters of ${name}, also while they give no chunk [formats:bounded-parts]`, async () => {
    const item = {
      name: 'a.txt',
      source: 'a.txt',
      async *read() {
        yield { parts, notes: [] }
      },
    }
    const splitter = characterSplitter({ chunkSize: 1000, chunkOverlap: 0 })
    const loader = { id: 'a', splitter, shapeMetadata: (own: Metadata) => own }
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
