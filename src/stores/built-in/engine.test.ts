import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishChunks } from '../../../test/support/publish-chunks.ts'
import { sharedStores } from '../../../test/support/store.ts'

const { database, stores, newNamespace } = sharedStores()

test('builtInEngine() looks up the terms of a question once, for its hits and for its term weights', async (t) => {
  const store = stores.open(newNamespace())
  const texts = ['The ferry leaves the harbour at noon.', 'A ferry waits.', 'The museum is closed.']
  await publishChunks(
    store,
    'any',
    texts.map((text, at) => ({ source: `${at}.txt`, text, metadata: {}, vector: [1, at] })),
  )
  const asked = { text: 'ferry harbour', limit: 10, withHeads: 3 }
  const reads = (['all', 'get'] as const).map((name) => t.mock.method(database.reader, name))
  const found = await store.searchRanked!(asked, { mode: 'keyword', fusion: 'convex', weight: 0.5 })
  assert.equal(found.ranked.length, 2)
  const [ferry, harbour] = [...found.termWeights!.values()]
  assert.ok(ferry! > 0 && harbour! > ferry!, 'the rarer term counts more')

  const countOf = (part: string) =>
    reads.flatMap(({ mock }) => mock.calls).filter(({ arguments: [sql] }) => sql.includes(part)).length
  assert.equal(countOf('FROM text_segments WHERE index_id'), 1)
  assert.equal(countOf('SELECT chunks FROM indexes'), 1)
})
