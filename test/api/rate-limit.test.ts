import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
const upsertUrl = '/api/v1/vector/upsert/quickstart'

type Flow = { apiConfig: string }
type Failure = { code: string; message: string }

/** Puts a rate limit on the flow quickstart, beside what its configuration holds already. */
async function limitTo(limitMax: number): Promise<void> {
  const { body } = await platform.manage<Flow>('GET', '/api/v1/chatflows/quickstart')
  const rateLimit = { status: true, limitMax, limitDuration: 3600, limitMsg: 'Slowly, please' }
  const apiConfig = { ...(JSON.parse(body.apiConfig) as object), rateLimit }
  await platform.manage('PUT', '/api/v1/chatflows/quickstart', { apiConfig })
}

test('a flow’s rate limit answers 429 with its own message before the body is read [upsert:errors]', async () => {
  await limitTo(2)
  for (const remaining of ['1', '0']) {
    const { status, headers } = await platform.upload('quickstart', { 'a.txt': 'some text' })
    assert.deepEqual([status, headers.get('ratelimit-remaining')], [200, remaining])
  }
  // A body that would be refused were it looked at.
  const refused = await platform.call<Failure>('POST', upsertUrl, {
    headers: { 'content-type': 'text/plain' },
    body: 'x',
  })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.message],
    [429, 'rate_limited', 'Slowly, please'],
  )
  assert.ok(Number(refused.headers.get('retry-after')) > 3000)
})

test('looking at a flow’s sources does not count against its limit', async () => {
  await limitTo(1)
  for (let i = 0; i < 3; i++)
    assert.equal((await platform.call('GET', '/api/v1/vector/sources/quickstart')).status, 200)
})
