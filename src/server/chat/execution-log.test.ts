import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowExecution, FlowExecutionStore } from '../../contract/flow-execution-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { executionLog } from './execution-log.ts'

const facts = { flowId: 'flow', questionId: 'question', chatId: 'chat', sessionId: 'chat' }
const options = {
  ...{ facts, question: 'What?', decision: undefined },
  answerer: { nodeId: 'chain_0', nodeLabel: 'Chain' },
}
const outcome = { text: 'Four.', usage: { inputTokens: 1, outputTokens: 1 } }

/** A store that takes what `save` takes. */
const storeWith = (save: (execution: FlowExecution) => Promise<void>): FlowExecutionStore => ({
  save,
  find: async () => undefined,
  waiting: async () => undefined,
  list: async () => ({ rows: [], total: 0 }),
  summaries: async () => ({ rows: [], total: 0 }),
  async endLost() {},
  remove: async () => 0,
})

test('executionLog() lets an answer pass when the run cannot be stored, as on a full disk [runs:never-in-the-way]', async () => {
  const full = storeWith(() => Promise.reject(new SluiceError('storage_full')))
  const log = executionLog(full, options)
  log.note({ event: 'span', data: { id: 1, kind: 'model', name: 'm', status: 'INPROGRESS', start: 1 } })
  const { executionId, stored } = await log.ended(outcome)
  await stored
  assert.equal(executionId, undefined)
  const failed = await executionLog(full, options).failed({ code: 'internal', message: 'It failed' }, false)
  await failed.stored
  assert.equal(failed.executionId, undefined)
})

test('executionLog() answers the id of the run before its last write is over [runs:never-in-the-way]', async () => {
  const saved: FlowExecution[] = []
  const slow = Promise.withResolvers<void>()
  const log = executionLog(
    storeWith(async (execution) => {
      saved.push(execution)
      if (execution.state === 'FINISHED') await slow.promise
    }),
    options,
  )
  const { executionId, stored } = await log.ended(outcome)
  assert.deepEqual(
    saved.map(({ id, state }) => [id, state]),
    [
      [executionId, 'INPROGRESS'],
      [executionId, 'FINISHED'],
    ],
  )
  slow.resolve()
  await stored
})
