import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findIndex } from '../support/find-index.ts'
import { postingsCacheOf } from '../../src/db/sqlite/text-cache.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { HiddenPassages } from '../../src/stores/built-in/passage-copies.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { publishChunks } from '../support/publish-chunks.ts'
import { temporaryDatabase } from '../support/store.ts'

test('HiddenPassages and PostingsCache drop what sweeps and merges have deleted [search:steady-memory]', async (t) => {
  const database = temporaryDatabase(t)
  const stores = builtInStores(database)
  t.after(() => stores.close())
  const store = stores.open('n')
  let hidden: HiddenPassages | undefined
  const postings: number[] = []
  for (let round = 0; round < 60; round++) {
    await store.remove({ sources: ['s'] })
    const texts = Array.from({ length: 20 }, (_, at) => `common words of passage ${at} in round ${round}`)
    await publishChunks(
      store,
      'e',
      texts.map((text) => ({ source: 's', text, metadata: {}, vector: hashVector(text) })),
    )
    hidden ??= new HiddenPassages(database.reader, findIndex(database.reader, 'n')!.id)
    await hidden.follow()
    const found = await store.search({ text: texts[7]!, limit: 20 })
    assert.deepEqual([found.length, found[0]?.pageContent], [20, texts[7]])
    postings.push(postingsCacheOf(database.reader).bytes)
  }
  assert.ok(hidden!.size < 400, `${hidden!.size} of ${59 * 20} removed passages are remembered`)
  const most = Math.max(...postings.slice(0, 20))
  assert.ok(postings.at(-1)! <= 2 * most, `postings: ${most} bytes at first, ${postings.at(-1)} at the end`)
})
