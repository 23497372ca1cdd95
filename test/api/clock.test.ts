import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

const HOUR_MS = 3_600_000

/** The clock of the machine goes back by an hour at every look. */
function setClockBack(t: { mock: typeof test.mock }): void {
  let now = Date.now()
  t.mock.method(Date, 'now', () => {
    now -= HOUR_MS
    return now
  })
}

test('an upsert tells the time it took while the clock of the machine is set back [server:clock]', async (t) => {
  setClockBack(t)
  const { status, body, text } = await platform.upload('quickstart', { 'a.txt': 'Otters hold hands.' })
  assert.equal(status, 200, text)
  const { timeTaken } = body as unknown as { timeTaken: number }
  assert.ok(timeTaken >= 0 && timeTaken < HOUR_MS, `timeTaken ${timeTaken}`)
})

test('a query tells the time it took while the clock of the machine is set back [server:clock]', async (t) => {
  setClockBack(t)
  const { status, body } = await platform.query('quickstart', { query: 'otters' })
  assert.equal(status, 200)
  const { timeTaken } = body as unknown as { timeTaken: number }
  assert.ok(timeTaken >= 0 && timeTaken < HOUR_MS, `timeTaken ${timeTaken}`)
})

test('a rate limit waits no longer than its time where the clock of the machine is set back [server:clock]', async (t) => {
  const { body } = await platform.manage<{ apiConfig: string }>('GET', '/api/v1/chatflows/quickstart')
  const rateLimit = { status: true, limitMax: 2, limitDuration: 3600, limitMsg: 'Slowly, please' }
  const apiConfig = { ...(JSON.parse(body.apiConfig) as object), rateLimit }
  await platform.manage('PUT', '/api/v1/chatflows/quickstart', { apiConfig })
  const ask = () => platform.call('POST', '/api/v1/vector/query/quickstart', { body: { query: 'otters' } })
  for (let i = 0; i < 2; i++) assert.equal((await ask()).status, 200)
  setClockBack(t)
  const { status, headers } = await ask()
  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) <= 3600, `${headers.get('retry-after')} s`)
})
