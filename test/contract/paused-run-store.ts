import assert from 'node:assert/strict'
import type { PausedRun } from '../../src/contract/paused-run-store.ts'
import { insertFlows, type MakeRepositories, promisesOf } from './repositories.ts'

const pausedRun = (id: string, changes: Partial<PausedRun> = {}): PausedRun => ({
  id,
  flowId: 'flow',
  sessionId: 'session',
  nodeId: 'agent_0',
  createdAt: 1,
  state: { messages: [{ role: 'user', content: `go, ${id}` }] },
  ...changes,
})

/** What every store of paused runs promises; run by each implementation. */
export function pausedRunStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the PausedRunStore`, make)

  promises('keeps a run by flow and session, and finding it leaves it there', async (repositories) => {
    const { pausedRuns } = repositories
    await insertFlows(repositories, 'flow', 'other')
    await pausedRuns.save(pausedRun('run-1'))
    assert.deepEqual(await pausedRuns.find('flow', 'session'), pausedRun('run-1'))
    assert.deepEqual(await pausedRuns.find('flow', 'session'), pausedRun('run-1'))
    assert.equal(await pausedRuns.find('flow', 'other'), undefined)
    assert.equal(await pausedRuns.find('other', 'session'), undefined)
  })

  promises('keeps one run per session: a newer run replaces the older one', async (repositories) => {
    const { pausedRuns } = repositories
    await insertFlows(repositories, 'flow', 'other')
    await pausedRuns.save(pausedRun('run-1'))
    await pausedRuns.save(pausedRun('run-2', { state: {} }))
    await pausedRuns.save(pausedRun('run-3', { sessionId: 'another' }))
    await pausedRuns.save(pausedRun('run-4', { flowId: 'other' }))
    assert.equal((await pausedRuns.find('flow', 'session'))?.id, 'run-2')
    assert.equal((await pausedRuns.find('flow', 'another'))?.id, 'run-3')
    assert.equal((await pausedRuns.find('other', 'session'))?.id, 'run-4')
    assert.equal(await pausedRuns.take('run-1'), false)
  })

  promises('gives a run to exactly one of several takers', async (repositories) => {
    const { pausedRuns } = repositories
    await insertFlows(repositories, 'flow')
    await pausedRuns.save(pausedRun('run-1'))
    const taken = await Promise.all([1, 2, 3].map(() => pausedRuns.take('run-1')))
    assert.deepEqual(taken.filter(Boolean), [true])
    assert.equal(await pausedRuns.find('flow', 'session'), undefined)
    assert.equal(await pausedRuns.take('run-1'), false)
  })

  promises('loses a run when the messages of its session or its flow are removed', async (repositories) => {
    const { pausedRuns, flows, messages } = repositories
    await insertFlows(repositories, 'flow', 'other')
    await pausedRuns.save(pausedRun('run-1'))
    await pausedRuns.save(pausedRun('run-2', { flowId: 'other' }))
    await messages.remove('flow', {})
    assert.equal(await pausedRuns.find('flow', 'session'), undefined)
    await pausedRuns.save(pausedRun('run-1'))
    await flows.remove('flow')
    assert.equal(await pausedRuns.find('flow', 'session'), undefined)
    assert.equal((await pausedRuns.find('other', 'session'))?.id, 'run-2')
  })
}
