import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FlowiseClient } from 'flowise-sdk'
import { conversationFlow, documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { makePlatform } from '../support/platform.ts'

/** The client of Flowise, unmodified. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())

const makeFlow = async (row: object) =>
  (await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', { name: 'A flow', ...row })).body.id

const open = await makeFlow({ flowData: documentFlow(model.url), apiConfig: overridable('files') })
await platform.upload(open, { 'otters.txt': 'Otters hold hands while they sleep.' })
const key = await platform.key({ scopes: ['predict'] })
const closed = await makeFlow({ flowData: conversationFlow(model.url), apikeyid: key.id })
const plain = await makeFlow({ flowData: conversationFlow(model.url, { model: { streaming: false } }) })

type Event = { event: string; data: unknown }

const clientOf = (apiKey?: string) =>
  new FlowiseClient({ baseUrl: platform.url, ...(apiKey === undefined ? {} : { apiKey }) })

async function eventsOf(apiKey: string | undefined, chatflowId: string, question: string): Promise<Event[]> {
  const answer = await clientOf(apiKey).createPrediction({ chatflowId, question, streaming: true })
  const events: Event[] = []
  for await (const event of answer as unknown as AsyncIterable<Event>) events.push(event)
  return events
}

const shortOf = ({ event, data }: Event) => (typeof data === 'string' ? `${event}:${data}` : event)

test('flowise-sdk sends a question to a flow and gets the answer with the chunks it used [query:predict]', async () => {
  model.script({ text: 'They hold hands.' })
  const answer = await clientOf().createPrediction({ chatflowId: open, question: 'How do otters sleep?' })
  assert.partialDeepStrictEqual(answer, {
    text: 'They hold hands.',
    question: 'How do otters sleep?',
    sourceDocuments: [
      { pageContent: 'Otters hold hands while they sleep.', metadata: { source: 'otters.txt' } },
    ],
  })
})

test('flowise-sdk streams an answer: start, tokens, sources, metadata, end [query:predict]', async () => {
  model.script({ text: 'They hold hands.' })
  const events = await eventsOf(undefined, open, 'How do otters sleep?')
  assert.deepEqual(events.map(shortOf), [
    'start:They',
    'token:They',
    'token: hold',
    'token: hands.',
    'sourceDocuments',
    'metadata',
    'end:[DONE]',
  ])
})

test('flowise-sdk opens a closed flow with its key, streamed and whole, and without it learns why not', async () => {
  model.script({ text: 'Hello.' }, { text: 'Hello.' })
  const asked = { chatflowId: closed, question: 'Hi' }
  assert.equal(((await clientOf(key.apiKey).createPrediction(asked)) as { text: string }).text, 'Hello.')
  assert.deepEqual(
    (await eventsOf(key.apiKey, closed, 'Hi')).map(({ event }) => event),
    ['start', 'token', 'metadata', 'end'],
  )
  assert.partialDeepStrictEqual(await clientOf().createPrediction(asked), {
    statusCode: 401,
    error: 'Unauthorized Access',
  })
  await assert.rejects(eventsOf(undefined, closed, 'Hi'), /HTTP error! status: 401/)
})

test('flowise-sdk gets the answer whole from a flow that does not stream', async () => {
  model.script({ text: 'Hello.' })
  const answer = await clientOf().createPrediction({ chatflowId: plain, question: 'Hi', streaming: true })
  assert.partialDeepStrictEqual(answer, { text: 'Hello.', isStreamValid: false })
})
