import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StoreRun } from '../../src/contract/chunk-store.ts'
import type { NewChunk } from '../../src/contract/ledger.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import type { EngineServer } from '../../src/stores/remote/engine-server.ts'
import { searchServerEngine } from '../../src/stores/remote/search-server.ts'
import { clientOf } from '../support/engines/client-of.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { sharedStores } from '../support/store.ts'

const scripted = await startScriptedEngine(searchProtocol('opensearch'))
after(() => scripted.close())
const { stores, newNamespace } = sharedStores()

const DIMENSIONS = 1024
/** As many as need several bulks. */
const COUNT = 1000

const chunks = Array.from({ length: COUNT }, (_, at): NewChunk & { text: string } => {
  const text = `text ${at}`
  const metadata = JSON.stringify({ source: 'a.txt' })
  return { source: 'a.txt', text, hash: fingerprint(text), metadata, metadataHash: fingerprint(metadata) }
})
const vectors = Float32Array.from({ length: COUNT * DIMENSIONS }, (_, at) => Math.sin(at))

/** A store over a server whose calls a test counts and refuses. @param refuse whether a call has no answer but a failure */
function storeWith(refuse: (path: string) => boolean = () => false) {
  const server = clientOf(scripted.url)
  const paths: string[] = []
  const watched: EngineServer = {
    ...server,
    async call(request) {
      paths.push(request.path)
      if (refuse(request.path)) throw server.failure('refused by the test')
      return server.call(request)
    },
  }
  const namespace = newNamespace()
  const store = stores.openSeparate(namespace, {
    ...{ name: namespace, key: '' },
    create: () =>
      searchServerEngine({ server: watched, name: namespace, indexPrefix: namespace, metric: 'cosine' }),
  })
  return { store, of: (word: string) => paths.filter((path) => path.includes(word)).length }
}

const publish = (run: StoreRun) =>
  run.publish({
    ...{ stagedCount: COUNT, removedChunkIds: [], files: [], invalidatedFiles: [] },
    updatedSources: ['a.txt'],
  })

test('a bulk that fails while another is on its way: nothing is staged, and the next load brings all [engines:in-flight]', async () => {
  let bulks = 0
  const { store, of } = storeWith((path) => path.startsWith('/_bulk') && ++bulks === 2)
  const first = await store.open('e')
  await assert.rejects(first.stage(chunks, vectors, DIMENSIONS), { code: 'provider_failed' })
  assert.ok(of('_bulk') >= 2, 'one bulk after the other')
  assert.deepEqual(await first.staged('a.txt'), [])
  await first.abandon()
  assert.equal((await store.chunks({ offset: 0, limit: 1 })).total, 0)
  const second = await store.open('e')
  await second.stage(chunks, vectors, DIMENSIONS)
  await publish(second)
  await second.sweep()
  const { expected, held, missing, surplus, differing } = (await store.compare!({ repair: false }))!
  assert.deepEqual([expected, held], [COUNT, COUNT])
  assert.deepEqual(
    [missing, surplus, differing].map(({ count }) => count),
    [0, 0, 0],
  )
})

test('a load is shown to searches once, when it is published [engines:in-flight]', async () => {
  const { store, of } = storeWith()
  const run = await store.open('e')
  for (let at = 0; at < COUNT; at += 250) {
    const some = vectors.slice(at * DIMENSIONS, (at + 250) * DIMENSIONS)
    await run.stage(chunks.slice(at, at + 250), some, DIMENSIONS)
  }
  assert.equal(of('_refresh'), 0)
  await publish(run)
  assert.equal(of('_refresh'), 1)
  const found = await store.search({ vector: vectors.slice(0, DIMENSIONS), limit: 1 })
  assert.deepEqual(
    found.map(({ pageContent }) => pageContent),
    ['text 0'],
  )
})
