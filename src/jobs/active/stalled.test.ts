import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerWait } from '../../kit/patience.ts'
import { stalled } from './stalled.ts'

const MS = 60_000
const LONG: ServerWait = { server: 'OpenSearch', reason: '429', since: 0 }
const short = (): ServerWait => ({ ...LONG, since: Date.now() })

const job = (namespace: string, state: 'queued' | 'running', serverWait?: ServerWait) => ({
  record: { namespace, state },
  serverWait,
})

for (const [what, jobs, expected] of [
  ['the running job of the namespace waits', [job('a', 'running', LONG), job('b', 'running')], true],
  ['it waits for a shorter time', [job('a', 'running', short()), job('b', 'running', LONG)], false],
  ['it works', [job('a', 'running'), job('b', 'running', LONG)], false],
  ['its job is queued, and all that run wait', [job('a', 'queued'), job('b', 'running', LONG)], true],
  [
    'its job is queued, and one that runs works',
    [job('a', 'queued'), job('b', 'running', LONG), job('c', 'running')],
    false,
  ],
  ['nothing runs', [job('a', 'queued')], false],
] as const)
  test(`stalled() is ${expected} where ${what}`, (t) => {
    t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 10 * MS })
    const now = jobs.map((one, at) => [String(at), one] as const)
    let wait: ServerWait | undefined
    const over = new AbortController()
    void stalled(new Map(now), { namespace: 'a', ms: MS, signal: over.signal }).then((found) => {
      wait = found
    })
    t.mock.timers.tick(1000)
    over.abort()
    return Promise.resolve().then(() => assert.equal(wait !== undefined, expected))
  })
