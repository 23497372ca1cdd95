import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { temporaryDatabase } from '../../test/support/store.ts'
import { SluiceError } from '../kit/errors.ts'
import { feedbackStore } from './chat-feedback.ts'
import { type ChatMessageRow, chatMessageStore, type Question } from './chat-messages.ts'
import { flowStore } from './flows.ts'

const message = (id: string, changes: Partial<ChatMessageRow> = {}): ChatMessageRow => ({
  id,
  flowId: 'flow',
  chatId: 'chat',
  sessionId: 'session',
  role: 'userMessage',
  content: `text of ${id}`,
  chatType: 'EXTERNAL',
  memoryType: null,
  details: {},
  createdAt: 1,
  ...changes,
})

const question = (id: string, changes: Partial<Question> = {}): Question => ({
  message: message(id),
  owner: null,
  anyOwner: false,
  files: [],
  ...changes,
})

const answer = (id: string, changes: Partial<ChatMessageRow> = {}) =>
  message(id, { role: 'apiMessage', ...changes })

async function openStores(t: TestContext) {
  const database = temporaryDatabase(t)
  const flows = flowStore(database)
  const row = { name: 'f', type: 'CHATFLOW', flowData: '{}', config: {}, apiKeyId: null }
  for (const id of ['flow', 'other']) await flows.insert({ ...row, id, slug: id, createdAt: 1, updatedAt: 1 })
  return { flows, messages: chatMessageStore(database), feedback: feedbackStore(database) }
}

const codeIs = (code: string) => (error: unknown) => error instanceof SluiceError && error.code === code

const idsOf = ({ rows }: { rows: ChatMessageRow[] }) => rows.map(({ id }) => id)

test('messages() tells what was answered, oldest first, and of the newest as many as are asked for', async (t) => {
  const { messages } = await openStores(t)
  for (const n of [1, 2]) {
    await messages.ask(question(`q${n}`))
    await messages.answer(`q${n}`, answer(`a${n}`))
  }
  await messages.ask(question('failed'))
  const texts = async (last?: number) =>
    (await messages.messages('flow', 'session', last)).map(({ content }) => content.replace('text of ', ''))
  assert.deepEqual(await texts(), ['q1', 'a1', 'q2', 'a2'])
  assert.deepEqual(await texts(3), ['a1', 'q2', 'a2'])
  assert.deepEqual(await messages.messages('other', 'session'), [])
  assert.deepEqual(await messages.messages('flow', 'chat'), [])
})

test('ask() keeps a session for the key that began it, and lets a manager into any', async (t) => {
  const { messages } = await openStores(t)
  await messages.ask(question('q1', { owner: 'key one' }))
  await messages.ask(question('q2', { owner: 'key one' }))
  await assert.rejects(messages.ask(question('q3', { owner: 'key two' })), codeIs('session_taken'))
  await assert.rejects(messages.ask(question('q4')), codeIs('session_taken'))
  await messages.ask(question('q5', { owner: 'manager', anyOwner: true }))
  await messages.ask(question('q6', { owner: 'key one' }))
  assert.deepEqual(idsOf(await messages.list('flow', {}, { ascending: true })), ['q1', 'q2', 'q5', 'q6'])
})

test('ask() lets every caller go on with a session that nobody owns', async (t) => {
  const { messages } = await openStores(t)
  await messages.ask(question('q1'))
  await messages.ask(question('q2', { owner: 'key' }))
  await messages.ask(question('q3', { owner: 'another key' }))
})

test('ask() refuses a flow that is gone, and answer() stores nothing for a question that is gone', async (t) => {
  const { messages, flows } = await openStores(t)
  await messages.ask(question('q1'))
  await flows.remove('flow')
  await messages.answer('q1', answer('a1'))
  assert.equal(await messages.find('q1'), undefined)
  assert.equal(await messages.find('a1'), undefined)
  await assert.rejects(messages.ask(question('q2')), codeIs('flow_not_found'))
})

test('list() narrows by every field of a filter, pages, and counts all that match', async (t) => {
  const { messages, feedback } = await openStores(t)
  const asked: Partial<ChatMessageRow>[] = [
    { chatId: 'one', createdAt: 10 },
    { chatId: 'two', sessionId: 'two', createdAt: 20, chatType: 'INTERNAL' },
    { memoryType: 'Buffer Memory', createdAt: 30 },
  ]
  for (const [n, changes] of asked.entries()) {
    await messages.ask(question(`q${n}`, { message: message(`q${n}`, changes) }))
    await messages.answer(`q${n}`, answer(`a${n}`, changes))
  }
  const rating = { flowId: 'flow', chatId: 'one', content: '', createdAt: 1 }
  await feedback.put({ ...rating, id: 'f', messageId: 'a0', rating: 'THUMBS_UP' })
  for (const [filter, ids] of [
    [{ chatId: 'one' }, ['q0', 'a0']],
    [{ sessionId: 'two' }, ['q1', 'a1']],
    [{ chatTypes: ['INTERNAL'] }, ['q1', 'a1']],
    [{ chatTypes: ['EXTERNAL'], from: 20 }, ['q2', 'a2']],
    [{ from: 20, to: 20 }, ['q1', 'a1']],
    [{ memoryType: 'Buffer Memory' }, ['q2', 'a2']],
    [{ id: 'a1' }, ['a1']],
    [{ ratings: ['THUMBS_UP'] }, ['a0']],
    [{ ratings: ['THUMBS_DOWN'] }, []],
  ] as const)
    assert.deepEqual(idsOf(await messages.list('flow', filter, { ascending: true })), ids)
  const page = await messages.list('flow', {}, { ascending: false, offset: 1, limit: 2 })
  assert.deepEqual([idsOf(page), page.total], [['q2', 'a1'], 6])
})

test('remove() takes files and feedback along and leaves other flows alone', async (t) => {
  const { messages, feedback } = await openStores(t)
  const picture = { id: 'picture', name: 'a.png', mime: 'image/png', content: new Uint8Array([1, 2]) }
  await messages.ask(question('q1', { files: [picture] }))
  await messages.answer('q1', answer('a1'))
  await messages.ask(question('q2', { message: message('q2', { flowId: 'other' }) }))
  const rating = { flowId: 'flow', chatId: 'chat', messageId: 'a1', content: '', createdAt: 1 }
  await feedback.put({ ...rating, id: 'f1', rating: 'THUMBS_UP' })
  assert.deepEqual(await messages.file('picture'), picture)
  assert.deepEqual(await messages.remove('flow', { chatId: 'no such' }), { count: 0, ended: [] })
  assert.deepEqual(await messages.remove('flow', { id: 'q1' }), { count: 1, ended: [] }, 'the answer is left')
  assert.deepEqual(await messages.remove('flow', {}), { count: 1, ended: ['chat'] })
  assert.equal(await messages.file('picture'), undefined)
  assert.equal(await feedback.find('f1'), undefined)
  assert.deepEqual(idsOf(await messages.list('other', {}, { ascending: true })), ['q2'])
})

test('put() of feedback replaces what was said of the message before, under the same id', async (t) => {
  const { messages, feedback } = await openStores(t)
  await messages.ask(question('q1'))
  const row = { flowId: 'flow', chatId: 'chat', messageId: 'q1', createdAt: 1 }
  await feedback.put({ ...row, id: 'f1', rating: 'THUMBS_UP', content: '' })
  const second = await feedback.put({ ...row, id: 'f2', rating: 'THUMBS_DOWN', content: 'wrong' })
  assert.deepEqual(second, { ...row, id: 'f1', rating: 'THUMBS_DOWN', content: 'wrong' })
  await feedback.update('f1', { content: 'very wrong' })
  assert.deepEqual(await feedback.list('flow'), [{ ...second, content: 'very wrong' }])
})
