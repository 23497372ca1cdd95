import assert from 'node:assert/strict'
import type { ExecutionFilter, FlowExecution } from '../../src/contract/flow-execution-store.ts'
import { insertFlows, type MakeRepositories, promisesOf, type Repositories } from './repositories.ts'

const execution = (id: string, more: Partial<FlowExecution> = {}): FlowExecution => ({
  id,
  kind: 'AGENTFLOW',
  flowId: 'flow',
  questionId: 'question',
  chatId: 'chat',
  sessionId: 'session',
  state: 'FINISHED',
  nodes: [{ nodeId: 'a', nodeLabel: 'A', data: { é: [1] }, previousNodeIds: ['start'], status: 'FINISHED' }],
  spans: [{ id: 1, kind: 'node', name: 'Á', status: 'FINISHED', start: 1, ms: 2.5 }],
  omittedSpans: 0,
  createdAt: 1,
  updatedAt: 1,
  ...more,
})

/** Stores the question that executions belong to. */
async function ask({ messages }: Repositories, id: string, flowId: string, content = 'text'): Promise<void> {
  const session = { chatId: 'chat', sessionId: 'session', chatType: 'EXTERNAL' as const, memoryType: null }
  const message = { id, flowId, ...session, role: 'userMessage' as const, content, details: {} }
  await messages.addQuestion({
    message: { ...message, createdAt: 1 },
    owner: null,
    anyOwner: true,
    files: [],
  })
}

/** What every store of executions promises; run by each implementation. */
export function flowExecutionStoreSuite(name: string, make: MakeRepositories): void {
  const promises = (promise: string, check: (repositories: Repositories) => Promise<void>) =>
    promisesOf(`${name}: the FlowExecutionStore`, make)(promise, async (repositories) => {
      await insertFlows(repositories, 'flow', 'other')
      await ask(repositories, 'question', 'flow')
      await ask(repositories, 'other question', 'other', 'How long is a 100% WEEK_end?')
      await check(repositories)
    })

  promises('finds an execution by its id, with every field', async ({ flowExecutions }) => {
    const failure = { code: 'provider_failed', message: 'It failed', nodeId: 'a' }
    const whole = { kind: 'CHATFLOW', failure, omittedSpans: 7 } as const
    const expected = execution('run', { ...whole, state: 'ERROR', createdAt: 5, updatedAt: 6 })
    await flowExecutions.save(expected)
    assert.deepEqual(await flowExecutions.find('run'), { ...expected, question: 'text' })
    assert.equal(await flowExecutions.find('none'), undefined)
  })

  promises(
    'keep() changes state, nodes and time of an execution that goes on',
    async ({ flowExecutions }) => {
      await flowExecutions.save(execution('run', { state: 'STOPPED' }))
      assert.equal((await flowExecutions.waiting('flow', 'session'))?.id, 'run')
      assert.equal(await flowExecutions.waiting('flow', 'another'), undefined)
      assert.equal(await flowExecutions.waiting('other', 'session'), undefined)
      const failure = { code: 'lost', message: 'It is lost' }
      await flowExecutions.save(execution('run', { state: 'TERMINATED', failure }))
      const more = { nodes: [], spans: [], omittedSpans: 2, updatedAt: 5 }
      await flowExecutions.save(execution('run', { ...more, createdAt: 5 }))
      const expected = { ...execution('run', more), question: 'text' }
      assert.deepEqual(await flowExecutions.find('run'), expected)
      assert.equal(await flowExecutions.waiting('flow', 'session'), undefined)
    },
  )

  promises(
    'list() narrows by every field of a filter, pages, newest first, and counts',
    async ({ flowExecutions }) => {
      for (const one of [
        execution('a', { createdAt: 10 }),
        execution('b', { createdAt: 20, state: 'STOPPED' }),
        execution('c', { createdAt: 30, sessionId: 'two' }),
        execution('d', { createdAt: 40, flowId: 'other', questionId: 'other question', kind: 'CHATFLOW' }),
      ])
        await flowExecutions.save(one)
      const ids = async (filter: ExecutionFilter, range = { offset: 0, limit: 9 }) => {
        const { rows, total } = await flowExecutions.list(filter, range)
        return `${rows.map(({ id }) => id).join('')} of ${total}`
      }
      assert.equal(await ids({}), 'dcba of 4')
      assert.equal(await ids({}, { offset: 1, limit: 2 }), 'cb of 4')
      for (const [filter, expected] of [
        [{ id: 'a' }, 'a of 1'],
        [{ flowId: 'flow' }, 'cba of 3'],
        [{ sessionId: 'two' }, 'c of 1'],
        [{ state: 'STOPPED' }, 'b of 1'],
        [{ from: 20, to: 30 }, 'cb of 2'],
        [{ flowId: 'flow', from: 30 }, 'c of 1'],
        [{ id: 'none' }, ' of 0'],
        [{ kind: 'CHATFLOW' }, 'd of 1'],
        [{ search: 'week_' }, 'd of 1'],
        [{ search: '100%' }, 'd of 1'],
        [{ search: '%long%' }, ' of 0'],
        [{ search: 'EXT', from: 20 }, 'cb of 2'],
      ] as const)
        assert.equal(await ids(filter), expected)
    },
  )

  promises('summaries() gives the same rows with the number of nodes', async ({ flowExecutions }) => {
    await flowExecutions.save(execution('a'))
    await flowExecutions.save(execution('b', { nodes: [] }))
    await flowExecutions.save(execution('c', { kind: 'CHATFLOW', omittedSpans: 4 }))
    const { rows, total } = await flowExecutions.summaries({ flowId: 'flow' }, { offset: 0, limit: 9 })
    const { nodes: _, spans: _spans, omittedSpans: _omitted, ...row } = execution('a')
    assert.deepEqual([total, rows[2]], [3, { ...row, question: 'text', steps: 1 }])
    assert.deepEqual([rows[1]?.steps, rows[0]?.steps], [0, 5])
  })

  promises('endLost() ends what an earlier process was running', async ({ flowExecutions }) => {
    await flowExecutions.save(execution('running', { state: 'INPROGRESS' }))
    await flowExecutions.save(execution('waiting', { state: 'STOPPED' }))
    await flowExecutions.endLost(9)
    const state = async (id: string) => (await flowExecutions.find(id))?.state
    assert.deepEqual([await state('running'), await state('waiting')], ['TERMINATED', 'STOPPED'])
    const lost = await flowExecutions.find('running')
    assert.deepEqual([lost?.updatedAt, lost?.failure?.code], [9, 'lost'])
    assert.equal((await flowExecutions.find('waiting'))?.failure, undefined)
  })

  promises('remove() answers how many of the ids there were', async ({ flowExecutions }) => {
    for (const id of ['a', 'b', 'c']) await flowExecutions.save(execution(id))
    assert.equal(await flowExecutions.remove(['a', 'c', 'none']), 2)
    assert.equal(await flowExecutions.remove(['a']), 0)
    assert.equal(await flowExecutions.remove([]), 0)
    assert.equal((await flowExecutions.find('b'))?.id, 'b')
  })

  promises(
    'loses executions with their question and with their flow, and keeps none without a question',
    async ({ flowExecutions, messages, flows }) => {
      await flowExecutions.save(execution('a'))
      await flowExecutions.save(execution('b', { flowId: 'other', questionId: 'other question' }))
      await messages.remove('flow', {})
      await flowExecutions.save(execution('late'))
      assert.equal(await flowExecutions.find('a'), undefined)
      assert.equal(await flowExecutions.find('late'), undefined)
      assert.equal((await flowExecutions.find('b'))?.id, 'b')
      await flows.remove('other')
      assert.equal(await flowExecutions.find('b'), undefined)
    },
  )

  promises(
    'keeps executions as long as their question, however many and old they are',
    async (repositories) => {
      const { flowExecutions } = repositories
      await flowExecutions.save(execution('oldest'))
      const years = 5 * 365 * 86_400_000
      for (let at = 0; at < 60; at++) await flowExecutions.save(execution(`e${at}`, { updatedAt: years }))
      assert.equal((await flowExecutions.find('oldest'))?.id, 'oldest')
    },
  )
}
