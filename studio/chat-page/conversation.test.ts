import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServerFailure } from '../server/call.ts'
import { createVisitorChat, type VisitorWorld } from './conversation.ts'

type Stream = Parameters<VisitorWorld['stream']>

/** A browser tab and a server whose answers the test ends. */
function visitorWorld() {
  const kept = new Map<string, string>()
  const asked: { body: Stream[1]; emit: Stream[2]; signal: AbortSignal; end: PromiseWithResolvers<void> }[] =
    []
  const stopped: string[] = []
  const world: VisitorWorld = {
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    stream(_, body, emit, { signal } = {}) {
      const end = Promise.withResolvers<void>()
      asked.push({ body, emit, signal: signal!, end })
      return end.promise
    },
    stopStream: (_, chatId) => void stopped.push(chatId),
    rateAnswer: async () => undefined,
  }
  return { world, asked, stopped, open: () => createVisitorChat('otters', world) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a question is kept before its answer: after a reload it has failed, in the same conversation, and can be asked again', async () => {
  const { asked, open } = visitorWorld()
  const before = open()
  before.getState().send({ question: 'Do otters sleep?' })
  asked[0]!.emit({ event: 'token', data: 'They' })
  const after = open()
  const { chatId, turns, state } = after.getState()
  assert.deepEqual([chatId, state, turns.length], [before.getState().chatId, 'ready', 1])
  assert.deepEqual([turns[0]!.answer!.state, turns[0]!.answer!.failure!.code], ['ended', 'page_left'])
  after.getState().askAgain()
  assert.deepEqual(asked[1]!.body, { question: 'Do otters sleep?', chatId })
  asked[1]!.emit({ event: 'token', data: 'They do.' })
  asked[1]!.emit({ event: 'end', data: '[DONE]' })
  asked[1]!.end.resolve()
  await settled()
  assert.deepEqual(
    open()
      .getState()
      .turns.map(({ question, answer }) => [question, answer!.text, answer!.failure]),
    [['Do otters sleep?', 'They do.', undefined]],
  )
})

test('a question that failed is asked again as it was, in the place of its answer; a form too', async () => {
  const { asked, open } = visitorWorld()
  const chat = open()
  chat.getState().send({ question: 'Topic: otters', form: { topic: 'otters' } })
  asked[0]!.end.reject(new ServerFailure(429, 'too_many_requests', 'Wait a minute'))
  await settled()
  assert.equal(chat.getState().turns[0]!.answer!.failure!.message, 'Wait a minute')
  chat.getState().askAgain()
  chat.getState().askAgain()
  assert.deepEqual(
    asked.map(({ body }) => body.form),
    [{ topic: 'otters' }, { topic: 'otters' }],
  )
  assert.equal(chat.getState().turns.length, 1)
})

test('an answer is stopped once; a stream that is left says so', async () => {
  const { asked, stopped, open } = visitorWorld()
  const chat = open()
  chat.getState().send({ question: 'Why?' })
  chat.getState().stop()
  chat.getState().stop()
  assert.deepEqual([chat.getState().state, stopped.length], ['stopping', 1])
  chat.getState().send({ question: 'And now?' })
  assert.equal(asked.length, 1)
  asked[0]!.end.reject(new ServerFailure(0, 'left', 'The server does not say'))
  await settled()
  assert.deepEqual(
    [chat.getState().state, chat.getState().turns[0]!.answer!.failure!.code],
    ['ready', 'left'],
  )
})

test('a new conversation stops the answer of the one before, which changes nothing any more', async () => {
  const { asked, stopped, open } = visitorWorld()
  const chat = open()
  chat.getState().send({ question: 'Why?' })
  const { chatId } = chat.getState()
  chat.getState().restart()
  assert.deepEqual(stopped, [chatId])
  asked[0]!.emit({ event: 'token', data: 'Because' })
  asked[0]!.end.resolve()
  await settled()
  assert.notEqual(chat.getState().chatId, chatId)
  assert.deepEqual([chat.getState().turns, chat.getState().state], [[], 'ready'])
})

test('turns that an earlier version of the page has kept are shown, and can be asked again', () => {
  const { world, asked, open } = visitorWorld()
  const answer = { state: 'ended', text: '', thinking: '', tools: [], sources: [], steps: [] }
  const turns = [{ question: 'Why?', files: [], answer: { ...answer, failure: { code: 'x', message: 'x' } } }]
  world.storage.setItem('sluice.chat.otters', JSON.stringify({ chatId: 'one', turns }))
  open().getState().askAgain()
  assert.deepEqual(asked[0]!.body, { question: 'Why?', chatId: 'one' })
})
