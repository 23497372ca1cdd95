import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowExecution } from '../../src/contract/flow-execution-store.ts'
import { chatMessageStore } from '../../src/db/repositories/chat-messages.ts'
import { endExecutionsOfLostRuns } from '../../src/db/postgres/chat-runs.ts'
import { flowExecutionStore } from '../../src/db/repositories/flow-executions.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { flowRow } from '../contract/repositories.ts'
import { temporaryPostgres } from '../support/postgres.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

test('save() uses one number of the sequence for a run that is saved many times', async (t) => {
  const database = await temporaryPostgres(t)
  const store = flowExecutionStore(database.sql, endExecutionsOfLostRuns)
  await flowStore(database.sql).insert(flowRow('flow'))
  const session = { flowId: 'flow', chatId: 'chat', sessionId: 'chat' }
  const message = {
    ...session,
    id: 'question',
    role: 'userMessage',
    content: 'x',
    chatType: 'EXTERNAL',
  } as const
  await chatMessageStore(database.sql).addQuestion({
    message: { ...message, memoryType: null, details: {}, createdAt: 1 },
    ...{ owner: null, anyOwner: false, files: [] },
  })
  const execution: FlowExecution = {
    ...session,
    id: 'again',
    kind: 'CHATFLOW',
    questionId: 'question',
    state: 'FINISHED',
    nodes: [],
    spans: [],
    omittedSpans: 0,
    createdAt: 1,
    updatedAt: 1,
  }
  for (let n = 0; n < 100; n++) await store.save(execution)
  await store.save({ ...execution, id: 'next' })
  const numbers = await database.reader.get('SELECT max(seq) AS last FROM executions')
  assert.deepEqual(numbers, { last: 2 })
})
