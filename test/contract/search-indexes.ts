import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../src/kit/json.ts'
import type { EngineCall, EngineServer } from '../../src/stores/remote/engine-server.ts'
import type { IndexOptions } from '../../src/stores/remote/index-options.ts'
import { elasticsearch, openSearch } from '../../src/stores/remote/search-dialects.ts'
import { searchServerEngine } from '../../src/stores/remote/search-server.ts'
import { collect } from '../support/collect.ts'
import { hashVector } from '../support/hash-embedder.ts'
import { randomBelow } from '../support/random.ts'
import { sharedStores } from '../support/store.ts'
import { lossyStore } from './lost-collections.ts'

const newPrefix = () => `test-${randomUUID().slice(0, 8)}`

const POINT = { id: 'p', text: 'a text', metadata: {}, vector: Float32Array.of(1, 0) }
const NEAR = { vector: Float32Array.of(1, 0), metric: 'cosine', limit: 5 } as const

/**
 * What the indexes of a search server are and may become.
 *
 * @param isReal whether it is the product, which can be told to close an index
 */
export function searchIndexSuite(
  name: string,
  {
    server,
    product,
    isReal,
  }: { server: EngineServer; product: 'opensearch' | 'elasticsearch'; isReal: boolean },
): void {
  const call = (method: EngineCall['method'], path: string, body?: Json) =>
    server.call({ method, path, ...(body === undefined ? {} : { body }) })
  const engineOf = (prefix: string, index?: IndexOptions) =>
    searchServerEngine({
      ...{ server, name: product, indexPrefix: prefix, metric: 'cosine' as const },
      ...(index ? { index } : {}),
    })
  const { stores, newNamespace } = sharedStores()
  const place = () => ({ stores, namespace: newNamespace() })
  const dialect = product === 'opensearch' ? openSearch('2.19.1') : elasticsearch('8.15.0')

  test(`${name} tells what an index was made with that its node has otherwise now [engines:kept]`, async () => {
    const prefix = newPrefix()
    const made = { shards: 2, copies: 0, vectors: 'int8', efConstruction: 64 } as const
    const keptBy = async (index: IndexOptions) => {
      const engine = engineOf(prefix, index)
      assert.deepEqual(await engine.kept?.('c'), [], 'nothing is asked for it')
      assert.equal(await engine.fault('c', { dimensions: 2, writes: true }), undefined)
      return engine.kept?.('c')
    }
    const engine = engineOf(prefix, made)
    await engine.upsert('c', [POINT])
    assert.deepEqual(await keptBy(made), [])
    // What the node leaves open is as the index has it.
    assert.deepEqual(await keptBy({ vectors: 'int8' }), [])
    assert.deepEqual(await keptBy({ shards: 3, copies: 1, vectors: 'full', efConstruction: 100 }), [
      { option: 'shards', is: '2', now: '3' },
      { option: 'copies', is: '0', now: '1' },
      { option: 'vectors', is: 'int8', now: 'full' },
      { option: 'efConstruction', is: '64', now: '100' },
    ])
    await engine.drop('c')
    await engineOf(prefix).upsert('c', [POINT])
    assert.deepEqual(await keptBy({ shards: 1, vectors: 'int8', efConstruction: 100 }), [
      { option: 'vectors', is: 'full', now: 'int8' },
    ])
    await engine.drop('c')
  })

  test(`${name} goes on with an index of before, which has no alias, and gives it one [engines:alias]`, async () => {
    const prefix = newPrefix()
    const { settings, ...body } = dialect.index(2, 'cosine')
    await call('PUT', `/${prefix}-c`, { ...body, ...(settings === undefined ? {} : { settings }) })
    const lines = [
      { index: { _index: `${prefix}-c`, _id: 'old' } },
      { text: 'old', embedding: [1, 0.1], sluice_id: 'old' },
    ]
    await server.call({ method: 'POST', path: '/_bulk', lines })
    await call('POST', `/${prefix}-c/_refresh`)
    const engine = engineOf(prefix)
    const ids = async () => (await engine.search('c', NEAR)).map(({ id }) => id).sort()
    assert.deepEqual(await ids(), ['old'])
    await engine.upsert('c', [POINT])
    assert.deepEqual(await ids(), ['old', 'p'])
    const { body: found } = await call('GET', `/${prefix}-c`)
    const index = (found as JsonObject)[`${prefix}-c`] as JsonObject
    assert.deepEqual(index.aliases, { [`${prefix}-c-points`]: {} })
    await engine.drop('c')
    assert.match((await engine.fault('c', { dimensions: 2, writes: false }))!, /is missing/)
  })

  test(`${name} asks both sides of a question by one call, or by two where the credential may not [engines:one-answer]`, async () => {
    const prefix = newPrefix()
    await engineOf(prefix).upsert('c', [POINT])
    const asked: EngineCall[] = []
    let refuses = false
    const watching: EngineServer = {
      ...server,
      call(request) {
        asked.push(request)
        const isRefused = refuses && request.path.endsWith('/_msearch')
        return isRefused
          ? Promise.resolve({ status: 403, body: undefined, headers: new Headers() })
          : server.call(request)
      },
    }
    const engine = searchServerEngine({
      ...{ server: watching, name: product, indexPrefix: prefix, metric: 'cosine' },
    })
    const ask = async () => {
      const found = await engine.search('c', { ...NEAR, limit: 1, text: 'text' })
      const [one] = found
      assert.deepEqual([found.length, one!.id, Math.round(one!.vectorScore! * 1e4)], [1, 'p', 1e4])
      assert.ok(one!.keywordScore! > 0)
      return asked.splice(0).filter(({ path }) => /search/.test(path))
    }
    const [call, ...others] = await ask()
    assert.equal(others.length, 0)
    assert.match(call!.path, /_msearch$/)
    const [near, , words] = call!.lines as [JsonObject, JsonObject, JsonObject]
    // The same copies for the same question, and rarity of words over all shards.
    assert.match(String(near.preference), /^[0-9a-f]{8}$/)
    assert.deepEqual(words, { preference: near.preference!, search_type: 'dfs_query_then_fetch' })
    assert.deepEqual((await ask())[0]!.lines, call!.lines)
    refuses = true
    assert.equal((await ask()).length, 3)
    assert.equal((await ask()).length, 2)
    await engine.drop('c')
  })

  test(`${name} makes no index by a write to one that is gone, and names it [engines:alias]`, async () => {
    const prefix = newPrefix()
    const engine = engineOf(prefix)
    await engine.upsert('c', [POINT])
    await call('DELETE', `/${prefix}-c`)
    await assert.rejects(engine.upsert('c', [POINT]), {
      code: 'provider_failed',
      message: /-c-points is missing/,
    })
    assert.match((await engine.fault('c', { dimensions: 2, writes: true }))!, /-c is missing/)
  })

  test(`${name} lists its points before the documents of another program, and comes to an end [engines:lost]`, async () => {
    const prefix = newPrefix()
    const engine = engineOf(prefix)
    await engine.upsert('c', [POINT])
    const lines = Array.from({ length: 1500 }, (_, at) => [
      { index: { _index: `${prefix}-c`, _id: `other ${at}` } },
      { title: `document ${at}` },
    ]).flat()
    await server.call({ method: 'POST', path: '/_bulk', lines })
    const listed = (await collect(engine.ids('c'))).flat()
    assert.equal(listed[0], POINT.id)
    assert.ok(listed.length >= 1000, `${listed.length}`)
    await engine.drop('c')
  })

  test(`${name} names an index that another program has made [engines:lost]`, async () => {
    const prefix = newPrefix()
    const { engine, put, collection, texts, tells } = lossyStore(() => engineOf(prefix), place())
    await put('a text')
    const index = `${prefix}-${collection()}`.toLowerCase()
    await engine.drop(collection())
    const other = dialect.index(2, 'cosine')
    await call('PUT', `/${index}`, other)
    await tells(new RegExp(`vectors of 2 numbers, and the flow has ${hashVector('').length}`))
    await call('DELETE', `/${index}`)
    if (!isReal) return
    await call('PUT', `/${index}`, { mappings: { properties: { embedding: { type: 'float' } } } })
    await tells(/has another mapping: text is missing instead of text/)
    await call('DELETE', `/${index}`)
    await assert.rejects(texts(), /is missing/)
  })

  test(`${name} makes a new index as the flow says, and finds the nearest by exact scores with int8 [engines:index-options]`, async () => {
    const prefix = newPrefix()
    const engine = searchServerEngine({
      ...{ server, name: product, indexPrefix: prefix, metric: 'cosine' },
      index: { shards: 2, copies: 0, vectors: 'int8', efConstruction: 128 },
    })
    const points = Array.from({ length: 40 }, (_, at) => ({
      ...{ id: `p${at}`, text: `text ${at}`, metadata: {} },
      vector: Float32Array.of(1, at / 40),
    }))
    await engine.upsert('c', points)
    const { body } = await call('GET', `/${prefix}-c`)
    const { settings, mappings } = (body as JsonObject)[`${prefix}-c`] as Record<string, JsonObject>
    if (isReal) {
      const { number_of_shards, number_of_replicas } = settings!.index as JsonObject
      assert.deepEqual([number_of_shards, number_of_replicas], ['2', '0'])
    }
    const mapping = JSON.stringify((mappings!.properties as JsonObject).embedding)
    assert.match(mapping, product === 'opensearch' ? /"sq"/ : /"int8_hnsw"/)
    assert.match(mapping, /"ef_construction":128/)
    assert.equal(await engine.fault('c', { dimensions: 2, writes: true }), undefined)
    const found = await engine.search('c', { ...NEAR, limit: 3 })
    assert.deepEqual(
      found.map(({ id }) => id),
      ['p0', 'p1', 'p2'],
    )
    const [, second] = found
    assert.ok(Math.abs(second!.vectorScore! - 1 / Math.hypot(1, 1 / 40)) < 1e-6)
    await engine.drop('c')
  })

  if (!isReal) return

  test(`${name} answers a question with the same list each time, over three shards and after replacements [engines:one-answer]`, async () => {
    const prefix = newPrefix()
    const { settings, ...body } = dialect.index(8, 'cosine')
    const index = { ...((settings as { index?: JsonObject })?.index ?? {}), number_of_shards: 3 }
    await call('PUT', `/${prefix}-c`, { ...body, settings: { index } })
    const engine = engineOf(prefix)
    const random = randomBelow(11)
    const point = (at: number, version: number) => ({
      id: `${version} ${at}`,
      text: Array.from({ length: 20 }, () => `word${random(60)}`).join(' '),
      metadata: {},
      vector: Float32Array.from({ length: 8 }, () => random(1000) - 500),
    })
    await engine.upsert(
      'c',
      Array.from({ length: 900 }, (_, at) => point(at, 1)),
    )
    const replaced = Array.from({ length: 400 }, (_, at) => at * 2)
    await engine.upsert(
      'c',
      replaced.map((at) => point(at, 2)),
    )
    await engine.delete(
      'c',
      replaced.map((at) => `1 ${at}`),
    )
    const vector = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8)
    const answers = new Set<string>()
    for (let time = 0; time < 100; time++)
      answers.add(
        JSON.stringify(await engine.search('c', { ...NEAR, vector, text: 'word7 word21 word40', limit: 20 })),
      )
    assert.equal(answers.size, 1)
    await engine.drop('c')
  })
  if (product === 'opensearch')
    test(`${name} keeps no vector as text, and has it all the same for who reads the document [engines:small]`, async () => {
      const prefix = newPrefix()
      const engine = engineOf(prefix)
      const points = Array.from({ length: 500 }, (_, at) => ({
        ...{ id: `p${at}`, text: `text ${at}`, metadata: {} },
        vector: Float32Array.from({ length: 256 }, (_, n) => Math.sin(at * 256 + n)),
      }))
      await engine.upsert('c', points)
      // The same documents in an index that keeps them as they are.
      const { settings, ...body } = dialect.index(256, 'cosine')
      const { 'knn.derived_source.enabled': derived, ...others } = (settings as JsonObject)
        .index as JsonObject
      assert.equal(derived, true)
      await call('PUT', `/${prefix}-plain`, { ...body, settings: { index: others } })
      await call('POST', '/_reindex?refresh=true', {
        ...{ source: { index: `${prefix}-c` }, dest: { index: `${prefix}-plain` } },
      })
      const bytesOf = async (index: string): Promise<number> => {
        await call('POST', `/${index}/_forcemerge?max_num_segments=1`)
        await call('POST', `/${index}/_refresh`)
        await call('POST', `/${index}/_flush?force=true`)
        const { body } = await call('GET', `/${index}/_stats/store`)
        const { _all } = body as { _all: { primaries: { store: { size_in_bytes: number } } } }
        return _all.primaries.store.size_in_bytes
      }
      const [own, plain] = [await bytesOf(`${prefix}-c`), await bytesOf(`${prefix}-plain`)]
      assert.ok(own < (2 / 3) * plain, `${own} bytes instead of ${plain}`)
      const read = await engine.vectors('c', ['p0', 'p499'])
      assert.deepEqual(read.get('p499'), points[499]!.vector)
      // A reindex, which an operator may make, has brought the vectors along.
      const { body: hits } = await call('POST', `/${prefix}-plain/_search`, {
        ...{ size: 1, query: { term: { sluice_id: 'p499' } }, _source: ['embedding'] },
      })
      const [{ _source }] = (hits as { hits: { hits: [{ _source: { embedding: number[] } }] } }).hits.hits
      assert.deepEqual(Float32Array.from(_source.embedding), points[499]!.vector)
      for (const index of ['c', 'plain']) await call('DELETE', `/${prefix}-${index}`)
    })

  test(`${name} names an index that is closed or read-only, and goes on when it is open again [engines:lost]`, async () => {
    const prefix = newPrefix()
    const { engine, put, collection, texts, tells } = lossyStore(() => engineOf(prefix), place())
    await put('a text')
    const index = `${prefix}-${collection()}`.toLowerCase()
    await call('POST', `/${index}/_close`)
    await tells(/is closed/)
    await call('POST', `/${index}/_open?wait_for_active_shards=1`)
    for (const block of ['read_only', 'write', 'read_only_allow_delete']) {
      await call('PUT', `/${index}/_settings`, { index: { blocks: { [block]: true } } })
      await tells(new RegExp(`is read-only.*index\\.blocks\\.${block}\\b`), { writesOnly: true })
      assert.deepEqual(await texts(), ['a text'])
      await call('PUT', `/${index}/_settings`, { index: { blocks: { [block]: null } } })
    }
    await put('another text')
    assert.deepEqual(await texts(), ['a text', 'another text'])
    await engine.drop(collection())
  })
  test(`${name} refuses writes for a reason that is told once, with its count [engines:refused-writes]`, async () => {
    const prefix = newPrefix()
    const engine = engineOf(prefix)
    await engine.upsert('c', [POINT])
    const twenty = Array.from({ length: 20 }, (_, at) => ({ ...POINT, id: `${at}` }))
    const refused = (message: string) =>
      assert.rejects(engine.upsert('c', twenty), (error: Error) => {
        assert.equal(error.message, `The engine failed: ${message}`)
        return true
      })
    const block = (name: string, value: boolean | null) =>
      call('PUT', `/${prefix}-c/_settings`, { index: { blocks: { [name]: value } } })
    for (const [setting, reason] of [
      ['read_only_allow_delete', 'disk flood stage'],
      ['read_only', 'read-only index'],
      ['write', 'read-only index'],
    ] as const) {
      await block(setting, true)
      await refused(`${reason}: 20 of 20 writes`)
      await block(setting, null)
    }
    await call('POST', `/${prefix}-c/_close`)
    await refused('closed index: 20 of 20 writes')
    await call('POST', `/${prefix}-c/_open?wait_for_active_shards=1`)
    await engine.upsert('c', twenty)
    assert.equal((await engine.search('c', { ...NEAR, limit: 50 })).length, 21)
    await engine.drop('c')
  })
}
