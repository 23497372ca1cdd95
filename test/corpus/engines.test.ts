import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { isObject, type JsonObject } from '../../src/kit/json.ts'
import type { HeldPoint, SeparateEngine } from '../../src/contract/vector-engine.ts'
import { chromaEngine } from '../../src/stores/remote/chroma.ts'
import { qdrantEngine } from '../../src/stores/remote/qdrant.ts'
import { parseFilter } from '../../src/vector/filter.ts'
import { clientOf } from '../support/engines/client-of.ts'
import { type ApiDocument, judgeOf } from '../support/engines/described/judge.ts'
import { chromaProtocol } from '../support/engines/scripted-chroma.ts'
import { repaired } from '../support/repaired.ts'
import { type EngineProtocol, startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { qdrantProtocol } from '../support/engines/scripted-qdrant.ts'

const corpus = process.env.SLUICE_CORPUS

/**
 * OpenAPI 3.0 allows null by a keyword of its own. Of the alternatives of Chroma's description, which is made from Rust's
 * enums, several may hold: an integer is a number, too.
 */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls)
  if (!isObject(value)) return value
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key === 'oneOf' ? 'anyOf' : key, withNulls(one)]),
  )
  if (nullable !== true) return rest
  return Object.keys(rest).length === 0 ? { type: 'null' } : { anyOf: [rest, { type: 'null' }] }
}

const descriptionIn = (file: string) =>
  withNulls(JSON.parse(readFileSync(path.join(corpus!, 'specs', file), 'utf8'))) as ApiDocument

const FILTER = parseFilter({
  $or: [
    { n: { $gt: 1, $lte: 7 } },
    { kind: { $nin: ['a'] } },
    { 'deep.x': { $lt: 3 } },
    { tag: { $exists: true } },
  ],
})

/** Calls everything that an engine has. */
async function exercise(engine: SeparateEngine): Promise<void> {
  const points = ['a', 'b', 'c'].map((id, n) => ({
    ...{ id, text: `text ${id}`, vector: Float32Array.of(1, n / 2) },
    metadata: { n, kind: 'x', list: [1, 'two'], deep: { x: n, nothing: null } } satisfies JsonObject,
  }))
  await engine.upsert('c', points)
  await engine.upsert('c', points)
  const vector = Float32Array.of(1, 0)
  const found = await engine.search('c', {
    vector,
    metric: 'cosine',
    limit: 5,
    vectors: true,
    filter: FILTER,
  })
  assert.ok(found.length > 0)
  await engine.search('c', { vector, metric: 'cosine', limit: 5 })
  assert.equal((await engine.vectors('c', ['a', 'b'])).size, 2)
  const held: HeldPoint[] = []
  const known = new Map(points.map(({ id, text, metadata }) => [id, { text, metadata }]))
  for await (const batch of engine.compare('c', async () => known)) held.push(...batch)
  assert.deepEqual(
    held.map(({ id, state }) => `${id} ${state}`).sort(),
    points.map(({ id }) => `${id} same`),
  )
  await engine.delete('c', ['a'])
  assert.equal((await engine.checks('c', ['b', 'absent'])).size, 1)
  assert.deepEqual(await repaired(engine, 'c', ['b', 'absent']), { removed: 1, missing: ['absent'] })
  await engine.drop('c')
  assert.deepEqual(await engine.search('c', { vector, metric: 'cosine', limit: 5 }), [])
}

const ENGINES: Record<
  string,
  { file: string; protocol: EngineProtocol; make(url: string): SeparateEngine; operations: number }
> = {
  Qdrant: {
    ...{ file: 'qdrant-1.18.json', protocol: qdrantProtocol(), operations: 8 },
    make: (url) =>
      qdrantEngine({ server: clientOf(url), name: 'q', collectionPrefix: 'test', metric: 'cosine' }),
  },
  Chroma: {
    ...{ file: 'chroma.json', protocol: chromaProtocol(), operations: 7 },
    make: (url) =>
      chromaEngine({ server: clientOf(url), name: 'c', collectionPrefix: 'test', metric: 'cosine' }),
  },
}

for (const [name, { file, protocol, make, operations }] of Object.entries(ENGINES)) {
  const title = `${name} is called as its description says, and the scripted server answers so`
  if (corpus === undefined) test(title, { skip: 'SLUICE_CORPUS is not set' })
  else {
    const scripted = await startScriptedEngine(protocol)
    after(() => scripted.close())
    test(title, async () => {
      const judge = judgeOf(descriptionIn(file))
      const seen = new Set<string>()
      const wrong: string[] = []
      scripted.observe = (request, reply) => {
        try {
          seen.add(judge(request, reply))
        } catch (error) {
          wrong.push((error as Error).message)
        }
      }
      await exercise(make(scripted.url))
      assert.deepEqual([...new Set(wrong)], [])
      assert.equal(seen.size, operations, [...seen].join('\n'))
    })
  }
}
