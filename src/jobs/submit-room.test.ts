import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobOwner } from '../callers/job-owner.ts'
import type { JobRecord } from '../contract/job.ts'
import { SluiceError } from '../kit/errors.ts'
import { queueRoom } from './submit.ts'

const [ada, bob] = [jobOwner({ key: 'ada' }), jobOwner({ key: 'bob' })]

/** A queue with jobs, as owner and state. */
function room(
  jobs: readonly [owner: string, state: JobRecord['state']][],
  limits: { limit?: number; ownerLimit?: number; shortage?: () => SluiceError | undefined } = {},
) {
  const active = new Map(jobs.map(([owner, state], at) => [`job ${at}`, { record: { owner, state } }]))
  return { active, ...queueRoom({ active, limit: 4, ownerLimit: 2, ...limits }) }
}

test('queueRoom() takes jobs up to its limit, waiting and running ones together', () => {
  const { active, check } = room([
    [ada, 'running'],
    [ada, 'running'],
    [bob, 'queued'],
  ])
  check(bob)
  active.set('another', { record: { owner: bob, state: 'running' } })
  for (const owner of [ada, bob])
    assert.throws(() => check(owner), { code: 'queue_full', facts: { limit: 4, retryAfter: 30 } })
})

test('queueRoom() counts the waiting jobs of one owner, not its running ones and not those of others', () => {
  const { check } = room(
    [
      [ada, 'queued'],
      [ada, 'queued'],
      [bob, 'running'],
      [bob, 'running'],
      [bob, 'queued'],
    ],
    { limit: 9 },
  )
  check(bob)
  assert.throws(() => check(ada), {
    code: 'queue_share_full',
    facts: { limit: 2, whose: 'this key', retryAfter: 30 },
  })
  const ofFlow = jobOwner({ flow: 'open' })
  const open = room([[ofFlow, 'queued']], { ownerLimit: 1 })
  assert.throws(() => open.check(ofFlow), { code: 'queue_share_full', message: /this flow, without a key/ })
})

test('queueRoom() counts jobs that are being stored, until their place is given back', () => {
  const { enter, check } = room([], { limit: 3 })
  const [first, second] = [enter(ada), enter(ada)]
  assert.throws(() => enter(ada), { code: 'queue_share_full' })
  const third = enter(bob)
  assert.throws(() => check(bob), { code: 'queue_full' })
  first()
  check(bob)
  enter(ada)()
  second()
  third()
  check(ada)
})

test('queueRoom() takes nothing while the disk is full, and keeps no place for what it refuses', () => {
  let isFull = true
  const shortage = () => (isFull ? new SluiceError('storage_full') : undefined)
  const { enter } = room([], { limit: 1, shortage })
  assert.throws(() => enter(ada), { code: 'storage_full' })
  isFull = false
  enter(ada)
  assert.throws(() => enter(bob), { code: 'queue_full' })
})
