import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseFilter } from '../../src/vector/filter.ts'
import { qdrantEngine } from '../../src/stores/remote/qdrant.ts'
import { clientOf } from '../support/engines/client-of.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { qdrantProtocol } from '../support/engines/scripted-qdrant.ts'
import { remoteEngineSuite } from './remote-engine.ts'

const protocol = qdrantProtocol()
const scripted = await startScriptedEngine(protocol)
after(() => scripted.close())

const { QDRANT_URL, QDRANT_API_KEY } = process.env
const real = QDRANT_URL
  ? clientOf(QDRANT_URL, QDRANT_API_KEY ? { 'api-key': QDRANT_API_KEY } : {})
  : undefined

remoteEngineSuite({
  name: 'Qdrant',
  scripted: { server: clientOf(scripted.url), engine: scripted },
  real: real ?? 'QDRANT_URL is not set',
  make: (server, prefix, metric) =>
    qdrantEngine({ server, name: 'qdrant', collectionPrefix: prefix, metric }),
  metrics: ['cosine', 'dot', 'euclidean'],
  writes: '/points',
  answersHalf: true,
})

/** A collection as Flowise fills it, with points of a conversation among the others. */
function foreignCollection(name: string): void {
  const payloads = [
    { content: 'the heron', metadata: { n: 1, kind: 'bird' } },
    { content: 'the otter', metadata: { n: 2, kind: 'fish eater', loc: { lines: { from: 1 } } } },
    { content: 'of a conversation', metadata: { n: 1, flowise_chatId: 'chat-1' } },
    { content: 'many kinds', metadata: { kind: ['bird', 'fish'] } },
  ]
  const points = payloads.map((payload, at) => {
    const id = `00000000-0000-4000-8000-00000000000${at}`
    return [id, { id, payload, vector: Float32Array.of(1, at / 10) }] as const
  })
  protocol.collections.set(name, { size: 2, distance: 'Cosine', indexes: new Map(), points: new Map(points) })
}

test('Qdrant’s engine finds the points of a collection of Flowise, by filter and conversation, and changes nothing in it', async () => {
  foreignCollection('docs')
  const engine = qdrantEngine({
    ...{ server: clientOf(scripted.url), name: 'qdrant', collectionPrefix: 'docs', metric: 'cosine' },
  })
  const texts = async (raw: object, chatId?: string) => {
    const request = { vector: Float32Array.of(1, 0), limit: 10, filter: parseFilter(raw) }
    const found = await engine.outside!({ ...request, ...(chatId === undefined ? {} : { chatId }) })
    return found.map(({ pageContent }) => pageContent)
  }
  assert.deepEqual(await texts({}), ['the heron', 'the otter', 'many kinds'])
  assert.deepEqual(await texts({}, 'chat-1'), ['the heron', 'the otter', 'of a conversation', 'many kinds'])
  assert.deepEqual(await texts({ kind: 'bird' }), ['the heron'])
  assert.deepEqual(await texts({ n: { $gt: 1 } }), ['the otter'])
  assert.deepEqual(await texts({ 'loc.lines.from': 1 }), ['the otter'])
  assert.deepEqual(await texts({ n: { $exists: false } }), ['many kinds'])
  const [best] = await engine.outside!({ vector: Float32Array.of(1, 0), limit: 1 })
  assert.equal(best!.vectorScore, 1)
  assert.deepEqual(best!.metadata, { n: 1, kind: 'bird' })
  await engine.upsert('c', [{ id: 'a', text: 'a', metadata: {}, vector: Float32Array.of(1, 0) }])
  await engine.drop('c')
  assert.equal(protocol.collections.get('docs')!.points.size, 4)
  assert.deepEqual(await engine.outside!({ text: 'heron', limit: 5 }), [])
  await assert.rejects(engine.outside!({ vector: Float32Array.of(1, 0, 0), limit: 5 }), {
    code: 'engine_unfit',
  })
})

test('Qdrant’s engine finds nothing outside where there is no collection of the name', async () => {
  const engine = qdrantEngine({
    ...{ server: clientOf(scripted.url), name: 'qdrant', collectionPrefix: 'none', metric: 'cosine' },
  })
  assert.deepEqual(await engine.outside!({ vector: Float32Array.of(1, 0), limit: 5 }), [])
})
