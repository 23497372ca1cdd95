import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findPineconeIndex, PINECONE_HEADERS, pineconeEngine } from '../../src/stores/remote/pinecone.ts'
import { clientOf, KEY } from '../support/engines/client-of.ts'
import { judged } from '../support/engines/described/judge.ts'
import { PINECONE } from '../support/engines/described/pinecone.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { pineconeProtocol } from '../support/engines/scripted-pinecone.ts'
import { remoteEngineSuite } from './remote-engine.ts'

const protocol = pineconeProtocol()
const scripted = await startScriptedEngine(protocol)
after(() => scripted.close())
const headers = { ...PINECONE_HEADERS, 'api-key': KEY }
const judging = judged('Pinecone', scripted, PINECONE)

// The address of an index with the metric cosine; the suites need vectors of 2, 4 and 8 numbers, so of an emulator.
const { PINECONE_URL, PINECONE_API_KEY = '' } = process.env

remoteEngineSuite({
  name: 'Pinecone',
  scripted: { server: clientOf(scripted.url, headers), engine: scripted },
  real: PINECONE_URL
    ? clientOf(PINECONE_URL, { ...PINECONE_HEADERS, 'api-key': PINECONE_API_KEY })
    : 'PINECONE_URL is not set',
  make: (server, prefix) => pineconeEngine({ server, name: 'pinecone', namespacePrefix: prefix }),
  metrics: ['cosine'],
  writes: '/vectors/',
  keepsZeros: false,
})

test('Pinecone is asked after a write until searches see it', async () => {
  const engine = pineconeEngine({
    server: clientOf(scripted.url, headers),
    name: 'pinecone',
    namespacePrefix: 'fresh',
  })
  const before = protocol.questions
  await engine.upsert('c', [{ id: 'a', text: 'a', metadata: {}, vector: Float32Array.of(1, 0) }])
  assert.equal(protocol.questions - before, 3)
  const found = await engine.search('c', { vector: Float32Array.of(1, 0), metric: 'cosine', limit: 1 })
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a'],
  )
})

test('Pinecone gets as much of a long text as the metadata of a vector may have', async () => {
  const engine = pineconeEngine({
    server: clientOf(scripted.url, headers),
    name: 'pinecone',
    namespacePrefix: 'long',
  })
  const text = 'Ein Satz über Öl. '.repeat(10_000)
  await engine.upsert('c', [{ id: 'a', text, metadata: { n: 1 }, vector: Float32Array.of(1, 0) }])
  const call = scripted.calls.findLast(({ path }) => path === '/vectors/upsert')!
  const { vectors } = call.body as { vectors: { metadata: { text: string } }[] }
  assert.ok(vectors[0]!.metadata.text.length > 20_000)
  assert.ok(text.startsWith(vectors[0]!.metadata.text))
})

test('findPineconeIndex() gives the address of an index, and names one that is missing or has another metric', async () => {
  const find = (index: string) => findPineconeIndex(clientOf(scripted.url, headers), 'pinecone', index)
  assert.equal(await find('docs'), 'https://docs-x1.svc.pinecone.io')
  await assert.rejects(find('absent'), { code: 'engine_unfit', message: /there is no index absent/ })
  await assert.rejects(find('other'), { code: 'engine_unfit', message: /must be cosine/ })
})

judging.end()
