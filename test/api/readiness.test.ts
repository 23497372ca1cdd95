import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makePlatform } from '../support/platform.ts'
import { readScrape } from '../support/metrics.ts'

type Readiness = { code?: string; dependencies: { name: string; state: string; reason?: string }[] }

const roomy = await makePlatform({}, { servers: 1 })
// A data directory is not made on a full disk, but opened.
const made = await makePlatform({}, { embedded: true })
await made.close()
const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'sluice-api-'))
cpSync(made.dataDirectory, DATA_DIR, { recursive: true })
// More than any disk has.
const full = await makePlatform({ DATA_DIR, MIN_FREE_MB: '1048576' }, { embedded: true })
after(() => rmSync(DATA_DIR, { recursive: true, force: true }))

for (const url of ['/readyz', '/api/v1/readyz']) {
  test(`${url} names what the server needs and whether it can be used [server:readiness]`, async () => {
    const { status, body } = await roomy.call<Readiness>('GET', url)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      status: 'ready',
      dependencies: [
        { name: 'database', state: 'ok' },
        { name: 'disk', state: 'ok' },
      ],
    })
  })

  test(`${url} answers 503 and names the dependency that is away, with a reason without paths [server:readiness]`, async () => {
    const { status, body, text } = await full.call<Readiness>('GET', url)
    assert.deepEqual([status, body.code], [503, 'read_only'])
    const [database, disk] = body.dependencies
    assert.deepEqual(database, { name: 'database', state: 'ok' })
    assert.deepEqual([disk!.name, disk!.state], ['disk', 'away'])
    assert.match(disk!.reason!, /^The disk of the server is full/)
    assert.ok(!text.includes(DATA_DIR))
  })
}

test('a server on a full disk says so in its log and its metrics, once for each probe', async () => {
  const before = full.log.filter(({ event }) => event === 'not-ready').length
  await full.call('GET', '/readyz')
  const lines = full.log.filter(({ event }) => event === 'not-ready')
  assert.equal(lines.length, before + 1)
  assert.deepEqual(lines.at(-1), {
    level: 'warn',
    event: 'not-ready',
    facts: { code: 'read_only', away: 'disk' },
  })
  assert.equal(readScrape((await full.call('GET', '/metrics')).text).value('sluice_read_only'), 1)
})
