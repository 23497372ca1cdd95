import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineReply, EngineRequest } from '../scripted-engine.ts'
import { judgeOf } from './judge.ts'
import { PINECONE } from './pinecone.ts'
import { searchDescription } from './search.ts'

const HEADERS = {
  'api-key': 'k',
  'x-pinecone-api-version': '2025-04',
  accept: 'application/json',
  'content-type': 'application/json',
}
const call = (given: Partial<EngineRequest> & { path: string }): EngineRequest => ({
  ...{ method: 'POST', query: new URLSearchParams(), headers: HEADERS, body: undefined, lines: [] },
  ...given,
})
const OK: EngineReply = { status: 200, body: {} }

test('judgeOf() refuses calls and answers of Pinecone that its description does not have', () => {
  const judge = judgeOf(PINECONE)
  const query = { path: '/query', body: { topK: 5, vector: [1, 2], namespace: 'n' } }
  const answer = { status: 200, body: { matches: [], namespace: 'n' } }
  assert.equal(judge(call(query), answer), 'post /query')
  const wrong: [Partial<EngineRequest> & { path: string }, EngineReply, RegExp][] = [
    [{ ...query, body: { topK: 10_001 } }, answer, /<= 10000/],
    [{ ...query, body: { topK: 5, limit: 1 } }, answer, /takes no limit/],
    [{ ...query, body: undefined }, answer, /required|falsy|false/],
    [{ ...query, headers: { ...HEADERS, 'api-key': undefined } }, answer, /needs Api-Key/],
    [{ ...query, headers: { ...HEADERS, 'x-pinecone-api-version': '2024-07' } }, answer, /constant/],
    [{ ...query, headers: { ...HEADERS, 'content-type': 'text/plain' } }, answer, /text\/plain/],
    [query, { status: 200, body: { matches: [{ score: 1 }] } }, /required property 'id'/],
    [query, { status: 400, body: { message: 7 } }, /must be string/],
    [{ path: '/vectors/delete', body: { ids: [] } }, OK, /fewer than 1/],
    [{ path: '/vectors/fetch', method: 'GET' }, OK, /needs ids/],
    [{ path: '/vectors/list', method: 'GET', query: new URLSearchParams({ limit: '101' }) }, OK, /<= 100/],
    [{ path: '/vectors/list', method: 'GET', query: new URLSearchParams({ size: '1' }) }, OK, /has no size/],
    [{ path: '/vectors/update', body: {} }, OK, /not described/],
  ]
  for (const [given, reply, message] of wrong) assert.throws(() => judge(call(given), reply), { message })
})

test('judgeOf() refuses calls of OpenSearch that are those of Elasticsearch, and the other way round', () => {
  const hits = { hits: [], total: { value: 0, relation: 'eq' } }
  const _shards = { total: 1, successful: 1, failed: 0 }
  const answer = { status: 200, body: { took: 1, timed_out: false, _shards, hits } }
  const opensearch = { query: { knn: { embedding: { vector: [1], k: 3 } } } }
  const elasticsearch = { knn: { field: 'embedding', query_vector: [1], k: 3, num_candidates: 100 } }
  for (const [product, own, other] of [
    ['opensearch', opensearch, elasticsearch],
    ['elasticsearch', elasticsearch, opensearch],
  ] as const) {
    const judge = judgeOf(searchDescription(product))
    const ask = (body: object) => judge(call({ path: '/i/_search', body: { size: 3, ...body } }), answer)
    assert.equal(ask(own), 'post /{index}/_search')
    assert.throws(() => ask(other), /knn|additional/)
    assert.throws(() => ask({ query: { match_all: {}, bool: {} } }), /fewer|more than 1/)
    assert.throws(() => ask({ query: { fuzzy: {} } }), /additional/)
    const bulk = (lines: EngineRequest['lines']) =>
      judge(
        call({ path: '/_bulk', lines, headers: { ...HEADERS, 'content-type': 'application/x-ndjson' } }),
        { status: 200, body: { took: 1, errors: false, items: [] } },
      )
    bulk([{ index: { _index: 'i', _id: 'a' } }, { text: 'x' }, { delete: { _index: 'i', _id: 'a' } }])
    assert.throws(() => bulk([{ index: { _index: 'i', id: 'a' } }]), /must match|additional/)
  }
})
