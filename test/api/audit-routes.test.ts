import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AuditAnswer } from '../../src/api/audit.ts'
import { addressOf, EXAMPLES } from '../../src/server/docs/examples.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { readRouteTable } from '../support/route-table.ts'
import { untilEqual } from '../support/until.ts'
import { ROUTES } from '../support/routes.ts'

const platform = await makePlatform()
const managed = readRouteTable(ROUTES).filter(({ scopes }) => scopes.includes('manage'))
const entries = async (): Promise<AuditAnswer[]> =>
  (await platform.manage<{ entries: AuditAnswer[] }>('GET', '/api/v1/audit?limit=1000')).body.entries
let called = 0
after(() => assert.ok(called > 50))

test('GET /audit has every call of every route of the management, also a call that is not valid [audit:log]', async () => {
  const expected: string[] = []
  for (const { route } of managed) {
    const [method, url] = route.split(' ') as [string, string]
    const { query } = EXAMPLES[route]!
    const path = addressOf(url, { status: 200, path: unknownIds(url), ...(query ? { query } : {}) })
    const { status } = await platform.call(method, path, { key: ADMIN_KEY })
    expected.push(`${method} ${url} ${status} ADMIN_KEY`)
    called++
  }
  const seen = async () => {
    const lines = new Set(
      (await entries()).map(({ method, route, status, caller }) => `${method} ${route} ${status} ${caller}`),
    )
    return expected.filter((line) => !lines.has(line))
  }
  await untilEqual(seen, [])
})

/** Fewer than the refusals that are written one by one in ten seconds. */
const AT_ONCE = 50

test('GET /audit has every refused call of every route of the management [audit:log]', async () => {
  for (let from = 0; from < managed.length; from += AT_ONCE) {
    const some = managed.slice(from, from + AT_ONCE)
    for (const { route } of some) {
      const [method, url] = route.split(' ') as [string, string]
      const path = addressOf(url, { status: 401, path: unknownIds(url) })
      assert.equal((await platform.call(method, path)).status, 401, route)
    }
    // With a change the refusals before it are written at once.
    const change = await platform.manage('POST', '/api/v1/variables', { name: `after_${from}`, value: '' })
    assert.equal(change.status, 200, change.text)
    const seen = async () => {
      const lines = new Set(
        (await entries())
          .filter(({ status }) => status === 401)
          .map(({ method, route }) => `${method} ${route}`),
      )
      return some.map(({ route }) => route).filter((route) => !lines.has(route))
    }
    await untilEqual(seen, [])
  }
})

const unknownIds = (url: string): Record<string, string> =>
  Object.fromEntries([...url.matchAll(/:(\w+)/g)].map(([, name]) => [name, 'no-such-id']))
