import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../src/kit/json.ts'
import { elasticsearch, openSearch } from '../../src/stores/remote/search-dialects.ts'
import { searchServerEngine } from '../../src/stores/remote/search-server.ts'
import { clientOf, WAITS } from '../support/engines/client-of.ts'
import { type Answering, replies, startFront } from '../support/engines/front.ts'

const POINTS = Array.from({ length: 3 }, (_, at) => ({
  ...{ id: `p${at}`, text: `text ${at}`, metadata: {}, vector: Float32Array.of(1, at / 10) },
}))
const IDS = ['p0', 'p1', 'p2']
const NEAR = { vector: Float32Array.of(1, 0), metric: 'cosine', limit: 10 } as const
const USE = { dimensions: 2, writes: true }

const engineAt = (url: string, prefix: string) =>
  searchServerEngine({ server: clientOf(url), name: 'engine', indexPrefix: prefix, metric: 'cosine' })
const newPrefix = () => `test-${randomUUID().slice(0, 8)}`
const found = async (engine: ReturnType<typeof engineAt>) =>
  (await engine.search('c', NEAR)).map(({ id }) => id).sort()

/**
 * What an operator or the world may do to OpenSearch or Elasticsearch: each is told by a sentence that names it, and nothing is lost.
 *
 * @param isReal whether it is the product
 */
export function engineFaultSuite(
  name: string,
  { url, product, isReal }: { url: string; product: 'opensearch' | 'elasticsearch'; isReal: boolean },
): void {
  const dialect = product === 'opensearch' ? openSearch('2.19.1') : elasticsearch('8.15.0')
  const call = async (method: string, path: string, body?: Json) => {
    const server = clientOf(url)
    return server.call({ method: method as 'PUT', path, ...(body === undefined ? {} : { body }) })
  }
  /** An engine behind a server that answers some calls by itself, beside one that reaches it. */
  const behind = async (answer: Answering) => {
    const [front, prefix] = [await startFront(url, { answer }), newPrefix()]
    return { front, prefix, engine: engineAt(front.url, prefix), direct: engineAt(url, prefix) }
  }

  test(`${name} of a version that is too old is named, and gets no index [engines:faults]`, async () => {
    for (const [version, message] of [
      [{ number: '1.3.2', distribution: 'opensearch' }, /it is OpenSearch 1\.3\.2, and 2\.4 is the oldest/],
      [{ number: '7.17.9' }, /it is Elasticsearch 7\.17\.9, and 8\.4 is the oldest/],
    ] as const) {
      const { front, engine, direct } = await behind(
        (from, to) => from.url === '/' && replies(to, 200, { version }),
      )
      await assert.rejects(engine.upsert('c', POINTS), { code: 'provider_failed', message })
      assert.match((await direct.fault('c', USE))!, /is missing/)
      front.close()
    }
  })

  test(`${name} behind a proxy that answers HTML is neither missing nor empty [engines:faults]`, async () => {
    let status = 0
    const { front, engine, direct } = await behind((_, to) => {
      if (status === 0) return false
      to.writeHead(status, { 'content-type': 'text/html' })
      to.end('<!DOCTYPE html><html><body>Please sign in</body></html>')
      return true
    })
    await engine.upsert('c', POINTS)
    const error = { code: 'provider_failed', message: /with a page of HTML, as a proxy/ }
    for (status of [200, 404, 403]) {
      await assert.rejects(engine.upsert('c', POINTS), error)
      await assert.rejects(engine.delete('c', IDS), error)
      await assert.rejects(found(engine), error)
      await assert.rejects(engine.vectors('c', IDS), error)
      await assert.rejects(engine.fault('c', USE), error)
      await assert.rejects(engineAt(front.url, newPrefix()).upsert('c', POINTS), error)
    }
    status = 503
    await assert.rejects(found(engine), { message: /answered 503: a page of HTML/ })
    status = 0
    assert.deepEqual(await found(engine), IDS)
    await direct.drop('c')
    front.close()
  })

  test(`${name} names an index that compares vectors by another metric [engines:faults]`, async () => {
    const prefix = newPrefix()
    await call('PUT', `/${prefix}-c`, dialect.index(2, 'euclidean'))
    assert.match(
      (await engineAt(url, prefix).fault('c', USE))!,
      /-c compares vectors by euclidean, and the flow by cosine/,
    )
    await call('DELETE', `/${prefix}-c`)
  })

  test(`${name} with a credential that may only read answers questions, and writes are refused by name [engines:faults]`, async () => {
    let isReader = false
    const { front, engine, direct } = await behind(({ method, url: path = '' }, to) => {
      const isRead = method === 'GET' || /_search|_mget|_refresh/.test(path)
      const reason = 'no permissions for [indices:data/write/bulk] and User [name=reader]'
      return isReader && !isRead && replies(to, 403, { error: { type: 'security_exception', reason } })
    })
    await engine.upsert('c', POINTS)
    isReader = true
    const error = {
      code: 'provider_failed',
      message: /answered 403: no permissions for \[indices:data\/write/,
    }
    await assert.rejects(engine.upsert('c', POINTS.slice(0, 1)), error)
    await assert.rejects(engine.delete('c', IDS), error)
    await assert.rejects(engine.drop('c'), error)
    assert.deepEqual(await found(engine), IDS)
    await assert.rejects(engine.upsert('d', POINTS), /does not create the index: no permissions/)
    await direct.drop('c')
    front.close()
  })

  test(`${name} with a credential that may make no alias uses the index by its name [engines:faults]`, async () => {
    const { front, engine, direct, prefix } = await behind(({ method, url: path = '' }, to, body) => {
      const asksForAlias = method === 'PUT' && (path.includes('/_alias/') || body.includes('"aliases"'))
      const reason = 'no permissions for [indices:admin/aliases]'
      return asksForAlias && replies(to, 403, { error: { type: 'security_exception', reason } })
    })
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    const { body } = await call('GET', `/${prefix}-c`)
    assert.deepEqual(((body as JsonObject)[`${prefix}-c`] as JsonObject).aliases, {})
    await engine.delete('c', ['p0'])
    assert.deepEqual(await found(engine), ['p1', 'p2'])
    assert.equal(await engine.fault('c', USE), undefined)
    // Gone, it is made again with its mapping: nothing else keeps the write from making another one.
    await call('DELETE', `/${prefix}-c`)
    await engine.upsert('c', POINTS)
    assert.equal(await engine.fault('c', USE), undefined)
    // One that may make it finds the same points.
    assert.deepEqual(await found(direct), IDS)
    await direct.drop('c')
    front.close()
  })

  test(`${name} that refreshes some copies of an index is asked again, and a write that some do not show is refused [engines:faults]`, async () => {
    let partial = 2
    const { front, engine, direct } = await behind(({ url: path = '' }, to) => {
      if (!path.endsWith('/_refresh') || partial-- <= 0) return false
      return replies(to, 200, { _shards: { total: 2, successful: 1, failed: 1 } })
    })
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    partial = Infinity
    const message = /a copy of the index was not refreshed/
    await assert.rejects(engine.upsert('c', POINTS), { code: 'provider_failed', message })
    partial = 0
    await engine.upsert('c', POINTS)
    await direct.drop('c')
    front.close()
  })

  test(`${name} that has no copy of a part of an index at that moment answers no question with the rest [engines:faults]`, async () => {
    let isAway = true
    const { front, engine, direct } = await behind(
      ({ url: path = '' }, to) =>
        isAway &&
        path.includes('_search') &&
        replies(to, 200, {
          ...{ took: 1, timed_out: false, hits: { hits: [] } },
          _shards: { total: 2, successful: 1, skipped: 0, failed: 0 },
        }),
    )
    await engine.upsert('c', POINTS)
    await assert.rejects(found(engine), {
      code: 'provider_failed',
      message: /a part of the index did not answer/,
    })
    isAway = false
    assert.deepEqual(await found(engine), IDS)
    await direct.drop('c')
    front.close()
  })

  test(`${name} of which one node has an index and another does not is not taken for one without points [engines:faults]`, async () => {
    let isGone = true
    const { front, engine, direct } = await behind(
      ({ url: path = '' }, to) =>
        isGone &&
        path.includes('_search') &&
        replies(to, 404, {
          error: { type: 'index_not_found_exception', reason: 'no such index' },
          status: 404,
        }),
    )
    await engine.upsert('c', POINTS)
    await assert.rejects(found(engine), {
      code: 'provider_failed',
      message: /the index is being removed or made/,
    })
    isGone = false
    assert.deepEqual(await found(engine), IDS)
    await direct.drop('c')
    front.close()
  })

  test(`${name} whose clock is of tomorrow is waited for as long as it asks by that clock [engines:faults]`, async () => {
    const tomorrow = Date.now() + 86_400_000
    let refusals = 1
    const { front, engine, direct } = await behind(({ url: path = '' }, to) => {
      if (!path.startsWith('/_bulk') || refusals-- <= 0) return false
      const at = (ms: number) => new Date(ms).toUTCString()
      to.writeHead(503, { date: at(tomorrow), 'retry-after': at(tomorrow + 7000) })
      to.end('{}')
      return true
    })
    WAITS.length = 0
    await engine.upsert('c', POINTS)
    assert.deepEqual(WAITS, [7000])
    assert.deepEqual(await found(engine), IDS)
    await direct.drop('c')
    front.close()
  })

  if (!isReal) return

  test(`${name} names an alias over two indexes, and writes into neither [engines:faults]`, async () => {
    const prefix = newPrefix()
    const engine = engineAt(url, prefix)
    await engine.upsert('c', POINTS)
    await call('PUT', `/${prefix}-other`, {
      ...dialect.index(2, 'cosine'),
      aliases: { [`${prefix}-c-points`]: {} },
    })
    assert.match((await engine.fault('c', USE))!, /the alias test-\w+-c-points is on 2 indexes/)
    await assert.rejects(engine.upsert('c', [{ ...POINTS[0]!, id: 'more' }]), { code: 'provider_failed' })
    await call('DELETE', `/${prefix}-other`)
    assert.equal(await engine.fault('c', USE), undefined)
    assert.deepEqual(await found(engine), IDS)
    await engine.drop('c')
  })

  test(`${name} that has as many shards as it may have says so, and takes the points when it may have more [engines:faults]`, async () => {
    const allow = (count: number | null) =>
      call('PUT', '/_cluster/settings', { persistent: { 'cluster.max_shards_per_node': count } })
    const engine = engineAt(url, newPrefix())
    await call('PUT', `/${newPrefix()}`, {})
    await allow(1)
    try {
      await assert.rejects(engine.upsert('c', POINTS), {
        code: 'provider_failed',
        message: /does not create the index: .*maximum.*shards open/,
      })
      assert.match((await engine.fault('c', USE))!, /is missing/)
    } finally {
      await allow(null)
    }
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    await engine.drop('c')
  })
}
