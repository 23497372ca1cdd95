import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../test/support/store.ts'
import type { PausedRun } from '../contract/execution.ts'
import { chatMessageStore } from './chat-messages.ts'
import { executionStore } from './executions.ts'
import { flowStore } from './flows.ts'

const run: PausedRun = {
  id: 'run-1',
  flowId: 'flow',
  sessionId: 'session',
  nodeId: 'agent_0',
  createdAt: 1,
  state: { messages: [{ role: 'user', content: 'go' }] },
}

test('keep() has one run a session, which is taken once and goes with its messages and its flow', async (t) => {
  const database = temporaryDatabase(t)
  const flows = flowStore(database)
  const row = { name: 'f', type: 'CHATFLOW', flowData: '{}', config: {}, apiKeyId: null }
  await flows.insert({ ...row, id: 'flow', slug: 'flow', createdAt: 1, updatedAt: 1 })
  const executions = executionStore(database)

  await executions.keep(run)
  assert.deepEqual(await executions.find('flow', 'session'), run)
  assert.equal(await executions.find('flow', 'other'), undefined)

  const second = { ...run, id: 'run-2', state: {} }
  await executions.keep(second)
  assert.deepEqual(await executions.find('flow', 'session'), second)
  assert.deepEqual([await executions.take('run-1'), await executions.take('run-2')], [false, true])
  assert.equal(await executions.take('run-2'), false)

  await executions.keep(run)
  await chatMessageStore(database).remove('flow', {})
  assert.equal(await executions.find('flow', 'session'), undefined)

  await executions.keep(run)
  await flows.remove('flow')
  assert.equal(await executions.find('flow', 'session'), undefined)
})
