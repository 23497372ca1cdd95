import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readScrape, type Scrape } from '../support/metrics.ts'
import { ADMIN_KEY, form } from '../support/platform.ts'
import { makePlatformOver } from '../support/postgres-platform.ts'
import { newPostgres, postgresRows, postgresServer } from '../support/postgres.ts'
import { silentProxy } from '../support/silent-proxy.ts'
import { until, untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const METRICS_KEY = 'the-key-of-the-scraper'
const server = await postgresServer()
const { address, drop } = await newPostgres()
after(drop)

test('metrics show the connections, the leases, what was taken over, and how far the replica is behind [metrics:shared]', async (t) => {
  const { call, manage, platform } = await makePlatformOver(t, address, { METRICS_KEY })
  const scrape = async () => readScrape((await call('GET', '/metrics', { key: METRICS_KEY })).text)
  const value = async (...of: Parameters<Scrape['value']>) => (await scrape()).value(...of)
  const [{ id: flow }] = (await manage<[{ id: string }]>('GET', '/api/v1/chatflows')).body
  const upload = async (name: string) => {
    const answer = await fetch(`${platform.url}/api/v1/vector/upsert/${flow}`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${ADMIN_KEY}` } },
      body: form({ [name]: `Words of ${name}.` }),
    })
    assert.equal(answer.status, 200, await answer.text())
  }
  const query = () => manage('POST', `/api/v1/vector/query/${flow}`, { query: 'words' })
  await upload('a.txt')
  await query()
  // A scrape waits for a second at most, and gives the last known value then.
  const lag = () => value('sluice_replica_lag_publications')
  await untilEqual(lag, 0)
  // It keeps what it writes itself.
  await upload('b.txt')
  await untilEqual(lag, 0)
  // Of another server.
  await postgresRows(
    address,
    `INSERT INTO runs (index_id, state, started_at, published_at)
     SELECT indexes.id, 'published', 0, 0 FROM indexes, generate_series(1, 2) WHERE chunks > 0`,
    [],
  )
  await untilEqual(lag, 2)
  await query()
  await untilEqual(lag, 0)
  const now = await scrape()
  assert.equal(now.value('sluice_dependency_up', { name: 'database' }), 1)
  assert.ok(now.value('sluice_database_connections', { state: 'idle' }) > 0)
  await untilEqual(() => value('sluice_turns', { state: 'held' }), 0)
  // A server that had a lease, and is gone.
  await postgresRows(address, `INSERT INTO nodes (id, name) VALUES (5, 'gone')`, [])
  await postgresRows(address, `INSERT INTO lanes (lane, node) VALUES ('of a server that is gone', 5)`, [])
  await untilEqual(() => value('sluice_takeovers_total'), 1)
})

test('metrics are answered while the database is away, with the last known values and their age [metrics:shared]', async (t) => {
  // The server is closed before its proxy.
  const releases: (() => void)[] = []
  const proxy = await silentProxy({ after: (release) => releases.push(release) }, server.port)
  const { call } = await makePlatformOver(t, proxy.address(address), { METRICS_KEY })
  t.after(() => {
    for (const release of releases) release()
  })
  const scrape = async (key: string) => {
    const { status, text } = await call('GET', '/metrics', { key })
    assert.equal(status, 200, text)
    return readScrape(text)
  }
  const ages = ({ value }: Scrape) =>
    ['jobs', 'replica_lag'].map((of) => value('sluice_last_known_seconds', { of }))
  const isShown = ({ families }: Scrape, name: string) =>
    families.some((family) => family.name === name && family.metrics.length > 0)
  await until(async () => isShown(await scrape(METRICS_KEY), 'sluice_replica_lag_publications'))
  proxy.cut()
  for (const key of [METRICS_KEY, ADMIN_KEY]) {
    const away = await scrape(key)
    assert.equal(away.value('sluice_dependency_up', { name: 'database' }), 0)
    assert.equal(away.value('sluice_dependency_up', { name: 'disk' }), 1)
    assert.ok(isShown(away, 'sluice_replica_lag_publications'), 'the last known value')
  }
  const then = ages(await scrape(METRICS_KEY))
  await until(async () => ages(await scrape(METRICS_KEY)).every((age, at) => age > then[at]!))
  proxy.mend()
  await until(
    async () => (await scrape(METRICS_KEY)).value('sluice_dependency_up', { name: 'database' }) === 1,
  )
})

test('metrics count requests that were refused for want of room [metrics:shared]', async (t) => {
  const { call, manage, platform } = await makePlatformOver(t, address, { METRICS_KEY, MAX_JOBS: '1' })
  const [{ id: flow }] = (await manage<[{ id: string }]>('GET', '/api/v1/chatflows')).body
  const shed = async () =>
    readScrape((await call('GET', '/metrics', { key: METRICS_KEY })).text).value(
      'sluice_requests_shed_total',
      { reason: 'jobs' },
    )
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const answer = await fetch(`${platform.url}/api/v1/vector/upsert/${flow}`, {
        ...{ method: 'POST', headers: { authorization: `Bearer ${ADMIN_KEY}` } },
        body: form({ [`${at}.txt`]: 'Words.' }),
      })
      await answer.text()
      return answer.status
    }),
  )
  const refused = statuses.filter((status) => status === 503).length
  assert.ok(refused > 0)
  await untilEqual(shed, refused)
})
