import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import type { Doorbell } from '../../src/contract/doorbell.ts'
import { chatMessageStore } from '../../src/db/repositories/chat-messages.ts'
import { endExecutionsOfLostRuns, postgresChatRunStore } from '../../src/db/postgres/chat-runs.ts'
import { flowExecutionStore } from '../../src/db/repositories/flow-executions.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { joinCluster } from '../../src/db/postgres/member.ts'
import { quietLog } from '../../src/kit/log.ts'
import { createChatRuns } from '../../src/server/chat/runs.ts'
import { flowRow } from '../contract/repositories.ts'
import { openedPostgres, preparedPostgres } from '../support/postgres.ts'
import { untilEqual } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const never = new AbortController().signal
const mine = { flowId: 'flow', chatId: 'chat', owner: 'me' }

/** Work that waits until it is stopped. */
const endless = async (signal: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

/** The runs of one of several members. @param heard changes the doorbell of the member */
async function openRuns(t: TestContext, address: string, heard = (bell: Doorbell) => bell) {
  const database = await openedPostgres(t, address)
  const member = joinCluster({ database, address, log: quietLog })
  t.after(() => member.close())
  await member.ready()
  const store = postgresChatRunStore(database)
  const runs = createChatRuns(never, { shared: { store, doorbell: heard(member.doorbell) } })
  /** Begins a run that other members can stop from now on. */
  async function begin(key = mine) {
    const begun = Promise.withResolvers<void>()
    const ended = runs.run(key, never, (signal) => {
      begun.resolve()
      return endless(signal)
    })
    ended.catch(() => {})
    await Promise.race([begun.promise, ended])
    return { ended }
  }
  /** How many answers are known to all members. */
  const rows = async () => (await database.reader.all('SELECT id FROM chat_runs')).length
  return { database, store, runs, begin, rows }
}

const cancelled = { code: 'cancelled' }

test('abort() on one member stops the runs of a conversation on all members, and no others [predict:stop]', async (t) => {
  const address = await preparedPostgres(t)
  const [one, two] = [await openRuns(t, address), await openRuns(t, address)]
  const stopped = [await one.begin(), await one.begin(), await two.begin()]
  const others = [
    await one.begin({ ...mine, chatId: 'another' }),
    await one.begin({ ...mine, flowId: 'other' }),
    await one.begin({ ...mine, owner: 'you' }),
  ]
  await two.runs.abort(mine)
  for (const { ended } of stopped) await assert.rejects(ended, cancelled)
  await untilEqual(one.rows, 3)
  await two.runs.abort(mine, { anyOwner: true })
  await assert.rejects(others[2]!.ended, cancelled)
  assert.equal(await one.rows(), 2)
  await two.runs.abort({ ...mine, chatId: 'another' })
  await two.runs.abort({ ...mine, flowId: 'other' })
  for (const { ended } of others) await assert.rejects(ended, cancelled)
  await Promise.all([one.runs.idle(), two.runs.idle()])
  assert.equal(await one.rows(), 0)
})

test('abort() stops a run of another member that hears no ring [predict:stop]', async (t) => {
  const address = await preparedPostgres(t)
  const one = await openRuns(t, address)
  const two = await openRuns(t, address, (bell) => ({ ...bell, ring() {} }))
  const { ended } = await one.begin()
  await two.runs.abort(mine)
  await assert.rejects(ended, cancelled)
})

test('abort() reaches a run whose member was silent for a minute, and a run that was forgotten meanwhile ends', async (t) => {
  const address = await preparedPostgres(t)
  const asked: { listener?: () => void } = {}
  /** As of a member that is frozen: it hears nothing until the test says so. */
  const frozen = (bell: Doorbell): Doorbell => ({
    ...bell,
    listen(_, listener) {
      asked.listener = listener
      return () => {}
    },
  })
  const one = await openRuns(t, address, frozen)
  const two = await openRuns(t, address)
  const silence = (time: string) =>
    two.database.writer.run(`UPDATE chat_runs SET seen = seen - interval '${time}'`)
  for (const time of ['1 minute', '2 hours']) {
    const { ended } = await one.begin()
    await silence(time)
    await flowExecutionStore(two.database.sql, endExecutionsOfLostRuns).endLost(9)
    if (time === '1 minute') await two.runs.abort(mine)
    assert.equal(await one.rows(), time === '1 minute' ? 1 : 0)
    asked.listener!()
    await assert.rejects(ended, cancelled)
  }
})

test('endLost() ends executions whose conversation has no answer in progress on any member', async (t) => {
  const address = await preparedPostgres(t)
  const [one, two] = [await openRuns(t, address), await openRuns(t, address)]
  await flowStore(one.database.sql).insert(flowRow('flow'))
  const session = { flowId: 'flow', chatId: 'chat', sessionId: 'chat' }
  await chatMessageStore(one.database.sql).addQuestion({
    message: {
      ...{ ...session, id: 'question', role: 'userMessage', content: 'x', chatType: 'EXTERNAL' },
      ...{ memoryType: null, details: {}, createdAt: 1 },
    },
    ...{ owner: null, anyOwner: false, files: [] },
  })
  const [executions, others] = [
    flowExecutionStore(one.database.sql, endExecutionsOfLostRuns),
    flowExecutionStore(two.database.sql, endExecutionsOfLostRuns),
  ]
  const state = async () => (await others.find('run'))?.state
  await one.begin()
  await executions.save({
    ...session,
    ...{
      id: 'run',
      questionId: 'question',
      state: 'INPROGRESS',
      kind: 'AGENTFLOW',
      nodes: [],
      spans: [],
      omittedSpans: 0,
      createdAt: 1,
      updatedAt: 1,
    },
  })
  await others.endLost(5)
  assert.equal(await state(), 'INPROGRESS')
  // The member says once a second that the run goes on.
  await one.database.writer.run(`UPDATE chat_runs SET seen = seen - interval '11 seconds'`)
  const silent = `SELECT 1 FROM chat_runs WHERE seen < clock_timestamp() - interval '10 seconds'`
  await untilEqual(async () => (await one.database.reader.all(silent)).length, 0)
  await others.endLost(6)
  assert.equal(await state(), 'INPROGRESS')
  // As of a member that is gone: nothing deletes its row, and nothing writes to it.
  await one.database.writer.run(
    `INSERT INTO chat_runs (id, flow_id, chat_id, seen)
     SELECT 'gone', flow_id, chat_id, seen - interval '11 seconds' FROM chat_runs`,
  )
  await two.runs.abort(mine)
  await one.runs.idle()
  await others.endLost(7)
  const { state: ended, updatedAt } = (await executions.find('run'))!
  assert.deepEqual([ended, updatedAt], ['TERMINATED', 7])
})
