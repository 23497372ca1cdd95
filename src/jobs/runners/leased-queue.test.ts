import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leasedQueue } from './leased-queue.ts'

/** Namespaces of members, of which each taking and each release is noted. */
function notedLeases() {
  const events: string[] = []
  return {
    events,
    async take(namespace: string) {
      events.push(`take ${namespace}`)
      return {
        namespace,
        epoch: 1,
        lost: new AbortController().signal,
        async release() {
          events.push(`release ${namespace}`)
        },
      }
    },
  }
}

test('run() takes the namespace for each work, and gives it back once what keeps the lease has settled', async () => {
  const leases = notedLeases()
  const queue = leasedQueue(leases)
  const rest = Promise.withResolvers<void>()
  const result = await queue.run('a', async (lease) => {
    lease.keepUntil(rest.promise)
    leases.events.push('first')
    return 7
  })
  const second = queue.run('a', async () => void leases.events.push('second'))
  await new Promise(setImmediate)
  assert.deepEqual([result, leases.events], [7, ['take a', 'first']])
  rest.reject(new Error('a failed sweep'))
  await second
  await queue.idle()
  assert.deepEqual(leases.events, ['take a', 'first', 'release a', 'take a', 'second', 'release a'])
})

test('run() gives the namespace back when the work fails', async () => {
  const leases = notedLeases()
  const queue = leasedQueue(leases)
  await assert.rejects(
    queue.run('a', () => Promise.reject(new Error('the work'))),
    /the work/,
  )
  await queue.idle()
  assert.deepEqual(leases.events, ['take a', 'release a'])
})
