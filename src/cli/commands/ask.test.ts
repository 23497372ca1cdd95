import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, serve, sluice } from '../../../test/support/command-line.ts'
import { predictionAnswer, usedTool } from '../../../test/support/flow-answer.ts'

const frame = (event: string, data: unknown) => `message:\ndata:${JSON.stringify({ event, data })}\n\n`
const EVENTS = { 'content-type': 'text/event-stream' }

test('sluice ask prints the answer while it arrives, and tools, sources and chat on standard error', async (t) => {
  let asked = ''
  const url = await serve(t, async (request, response) => {
    asked = `${request.method} ${request.url} ${await bodyOf(request)}`
    response.writeHead(200, EVENTS)
    response.write(frame('start', 'Two '))
    response.write(`${frame('token', 'Two ')}:heartbeat\n\n${frame('token', 'events\u001b[2J\nin July')}`)
    response.write(frame('usedTools', [usedTool('get_events'), usedTool('put', '404')]))
    response.write(frame('sourceDocuments', [{ pageContent: 'July', metadata: { source: 'plan.md' } }]))
    response.end(
      frame('metadata', { chatId: 'c-1', chatMessageId: 'm-1', sessionId: 'c-1' }) + frame('end', '[DONE]'),
    )
  })
  const { code, stdout, stderr } = await sluice([
    'ask',
    'events',
    'what is on?',
    '--url',
    url,
    '--chat',
    'c-1',
  ])
  assert.equal(
    asked,
    'POST /api/v1/prediction/events {"question":"what is on?","chatId":"c-1","streaming":true}',
  )
  assert.deepEqual([code, stdout], [0, 'Two events [2J\nin July\n'])
  assert.match(stderr, /used get_events\nused put, which failed\n/)
  assert.match(stderr, /plan\.md\n {4}July\n/)
  assert.match(stderr, /chat c-1\n$/)
})

const PREDICTION = predictionAnswer({ usedTools: [usedTool('search')] })

test('sluice ask prints an answer in JSON, from a flow that does not stream', async (t) => {
  const url = await serve(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(PREDICTION)),
  )
  const { stdout, stderr } = await sluice(['ask', 'flow', 'hi', '--url', url])
  assert.equal(stdout, 'Hello\n')
  assert.equal(stderr, 'used search\nchat c-2\n')
  const asJson = await sluice(['ask', 'flow', 'hi', '--json', '--url', url])
  assert.deepEqual(JSON.parse(asJson.stdout), PREDICTION)
})

for (const [what, body, reason] of [
  ['is an error', frame('error', 'The model is away') + frame('end', '[DONE]'), /The model is away/],
  ['is not complete', frame('token', 'Half an ans'), /The answer is not complete/],
  ['is no prediction', 'data: 7\n\n', /answer is not a prediction/],
  [
    'has a token that is no text',
    frame('token', 7),
    /is not a prediction \(token\)\nInvalid input: expected string/,
  ],
] as const)
  test(`sluice ask fails where the answer ${what}`, async (t) => {
    const url = await serve(t, (_, response) => response.writeHead(200, EVENTS).end(body))
    const { code, stderr } = await sluice(['ask', 'flow', 'hi', '--url', url])
    assert.equal(code, 1)
    assert.match(stderr, reason)
  })

test('sluice ask prints the message of a refusal', async (t) => {
  const url = await serve(t, (_, response) =>
    response.writeHead(422).end('{"message": "This flow cannot answer"}'),
  )
  const { code, stderr } = await sluice(['ask', 'flow', 'hi', '--url', url])
  assert.deepEqual([code, stderr], [1, 'sluice: This flow cannot answer\n'])
})
