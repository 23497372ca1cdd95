import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../../../test/support/store.ts'
import type { FlowExecution } from '../../contract/flow-execution-store.ts'
import { chatMessageStore } from './chat-messages.ts'
import { EXECUTIONS_KEPT } from '../rows/execution.ts'
import { flowExecutionStore } from './flow-executions.ts'
import { flowStore } from './flows.ts'

const DAY = 24 * 3_600_000

async function prepared(t: Parameters<typeof temporaryDatabase>[0]) {
  const database = temporaryDatabase(t)
  const row = { name: 'f', type: 'AGENTFLOW', flowData: '{}', config: {}, apiKeyId: null }
  await flowStore(database).insert({ ...row, id: 'flow', slug: 'flow', createdAt: 1, updatedAt: 1 })
  const message = {
    id: 'question',
    flowId: 'flow',
    chatId: 'chat',
    sessionId: 'chat',
    role: 'userMessage',
    content: 'x',
    chatType: 'EXTERNAL',
    memoryType: null,
    details: {},
    createdAt: 1,
  } as const
  await chatMessageStore(database).addQuestion({ message, owner: null, anyOwner: false, files: [] })
  return flowExecutionStore(database)
}

const execution = (id: string, more: Partial<FlowExecution> = {}): FlowExecution => ({
  id,
  flowId: 'flow',
  questionId: 'question',
  chatId: 'chat',
  sessionId: 'chat',
  state: 'FINISHED',
  nodes: [],
  createdAt: 1,
  updatedAt: 1,
  ...more,
})

const ALL = { offset: 0, limit: 10 }

test('keep() keeps the newest executions, and none that is older than its days', async (t) => {
  const executions = await prepared(t)
  await executions.save(execution('first'))
  await executions.save(execution('second', { updatedAt: 2 }))
  const now = EXECUTIONS_KEPT.days * DAY + 2
  await executions.save(execution('third', { updatedAt: now }))
  assert.deepEqual(
    (await executions.list({}, ALL)).rows.map(({ id }) => id),
    ['third', 'second'],
  )
  for (let count = 0; count < EXECUTIONS_KEPT.rows; count++)
    await executions.save(execution(`more-${count}`, { updatedAt: now }))
  assert.equal((await executions.list({}, ALL)).total, EXECUTIONS_KEPT.rows)
  assert.equal(await executions.find('third'), undefined)
})
