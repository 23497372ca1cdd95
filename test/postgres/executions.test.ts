import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowExecution } from '../../src/contract/flow-execution-store.ts'
import { postgresChatMessages } from '../../src/db/postgres/chat-messages.ts'
import { postgresFlowExecutions } from '../../src/db/postgres/flow-executions.ts'
import { postgresFlows } from '../../src/db/postgres/flows.ts'
import { EXECUTIONS_KEPT } from '../../src/db/rows/execution.ts'
import { flowRow } from '../contract/repositories.ts'
import { temporaryPostgres } from '../support/postgres.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

test('save() keeps about as many executions as it may, none older than their days, and saves of one run use no number up', async (t) => {
  const database = await temporaryPostgres(t)
  const store = postgresFlowExecutions(database)
  await postgresFlows(database).insert(flowRow('flow'))
  const session = { flowId: 'flow', chatId: 'chat', sessionId: 'chat' }
  const message = {
    ...session,
    id: 'question',
    role: 'userMessage',
    content: 'x',
    chatType: 'EXTERNAL',
  } as const
  await postgresChatMessages(database).addQuestion({
    message: { ...message, memoryType: null, details: {}, createdAt: 1 },
    ...{ owner: null, anyOwner: false, files: [] },
  })
  const now = EXECUTIONS_KEPT.days * 86_400_000 + 10
  const save = (id: string, updatedAt = now) => {
    const execution: FlowExecution = {
      ...session,
      id,
      questionId: 'question',
      state: 'FINISHED',
      nodes: [],
      createdAt: 1,
      updatedAt,
    }
    return store.save(execution)
  }
  await save('old', 1)
  await database.writer.run(
    `INSERT INTO executions (id, flow_id, question_id, chat_id, session_id, state, nodes, created_at, updated_at)
     SELECT 'e' || n, 'flow', 'question', 'chat', 'chat', 'FINISHED', '[]', 1, $1 FROM generate_series(1, $2) AS n`,
    now,
    EXECUTIONS_KEPT.rows + 500,
  )
  for (let n = 0; n < 100; n++) await save('again')
  for (let n = 0; n < 60; n++) await save(`more-${n}`)
  const { total } = await store.list({}, { offset: 0, limit: 1 })
  assert.ok(total >= EXECUTIONS_KEPT.rows && total < EXECUTIONS_KEPT.rows + 60, String(total))
  assert.deepEqual([await store.find('old'), await store.find('e500')], [undefined, undefined])
  assert.equal((await store.find('again'))?.id, 'again')
  const numbers = await database.reader.get('SELECT max(seq) AS last FROM executions')
  assert.deepEqual(numbers, { last: 1 + EXECUTIONS_KEPT.rows + 500 + 1 + 60 })
})
