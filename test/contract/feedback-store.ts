import assert from 'node:assert/strict'
import type { FeedbackRow } from '../../src/contract/feedback-store.ts'
import { insertFlows, type MakeRepositories, promisesOf, type Repositories } from './repositories.ts'

const feedbackRow = (id: string, messageId: string, changes: Partial<FeedbackRow> = {}): FeedbackRow => ({
  id,
  flowId: 'flow',
  chatId: 'chat',
  messageId,
  rating: 'THUMBS_UP',
  content: '',
  createdAt: 1,
  ...changes,
})

/** Stores a question for feedback to belong to. */
async function ask({ messages }: Repositories, id: string, flowId = 'flow'): Promise<void> {
  const session = { chatId: 'chat', sessionId: 'session', chatType: 'EXTERNAL' as const, memoryType: null }
  const message = { id, flowId, ...session, role: 'userMessage' as const, content: 'text', details: {} }
  await messages.addQuestion({
    message: { ...message, createdAt: 1 },
    owner: null,
    anyOwner: true,
    files: [],
  })
}

/** What every store of feedback promises; run by each implementation. */
export function feedbackStoreSuite(name: string, make: MakeRepositories): void {
  const promises = (promise: string, check: (repositories: Repositories) => Promise<void>) =>
    promisesOf(`${name}: the FeedbackStore`, make)(promise, async (repositories) => {
      await insertFlows(repositories, 'flow', 'other')
      for (const id of ['q1', 'q2']) await ask(repositories, id)
      await ask(repositories, 'q3', 'other')
      await check(repositories)
    })

  promises('finds feedback by its id and lists that of a flow, the oldest first', async ({ feedback }) => {
    const [one, two] = [feedbackRow('f1', 'q1', { createdAt: 2 }), feedbackRow('f2', 'q2')]
    assert.deepEqual(await feedback.put(one), one)
    await feedback.put(two)
    await feedback.put(feedbackRow('f3', 'q3', { flowId: 'other' }))
    assert.deepEqual(await feedback.find('f1'), one)
    assert.equal(await feedback.find('none'), undefined)
    assert.deepEqual(await feedback.list('flow'), [two, one])
    assert.deepEqual(await feedback.list('none'), [])
  })

  promises('put() replaces the feedback on a message, under the same id', async ({ feedback }) => {
    const first = await feedback.put(feedbackRow('f1', 'q1'))
    const second = await feedback.put(
      feedbackRow('f2', 'q1', { rating: 'THUMBS_DOWN', content: 'wrong', createdAt: 5 }),
    )
    assert.deepEqual(second, { ...first, rating: 'THUMBS_DOWN', content: 'wrong' })
    assert.equal(await feedback.find('f2'), undefined)
    assert.deepEqual(await feedback.list('flow'), [second])
  })

  promises('update() changes the fields that are given, and no others', async ({ feedback }) => {
    const row = await feedback.put(feedbackRow('f1', 'q1', { content: 'good' }))
    await feedback.update('f1', { rating: 'THUMBS_DOWN' })
    assert.deepEqual(await feedback.find('f1'), { ...row, rating: 'THUMBS_DOWN' })
    await feedback.update('f1', { content: '' })
    assert.deepEqual(await feedback.find('f1'), { ...row, rating: 'THUMBS_DOWN', content: '' })
    await feedback.update('none', { content: 'x' })
    assert.equal((await feedback.list('flow')).length, 1)
  })

  promises('loses feedback with its message and with its flow', async ({ feedback, messages, flows }) => {
    await feedback.put(feedbackRow('f1', 'q1'))
    await feedback.put(feedbackRow('f2', 'q2'))
    await feedback.put(feedbackRow('f3', 'q3', { flowId: 'other' }))
    await messages.remove('flow', { id: 'q1' })
    assert.equal(await feedback.find('f1'), undefined)
    await flows.remove('flow')
    assert.equal(await feedback.find('f2'), undefined)
    assert.equal((await feedback.find('f3'))?.id, 'f3')
  })
}
