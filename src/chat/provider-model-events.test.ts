import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelEvent } from '../contract/chat-model.ts'
import { modelEvents } from './provider-model.ts'
import type { StreamPart } from './sdk.ts'

type Unified = Extract<StreamPart, { type: 'finish' }>['finishReason']['unified']

const finish = (unified: Unified): StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 7, text: undefined, reasoning: undefined },
  },
})
const word: StreamPart = { type: 'text-delta', id: '0', delta: 'Hello' }
const call: StreamPart = { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{}' }
const usage = { inputTokens: 0, outputTokens: 7 }

async function events(...parts: StreamPart[]): Promise<ModelEvent[]> {
  const stream = ReadableStream.from(parts)
  const read: ModelEvent[] = []
  for await (const event of modelEvents(stream, 'Provider')) read.push(event)
  return read
}

for (const [unified, reason] of [
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'filtered'],
  ['interrupted', 'other'],
  ['other', 'other'],
] as const)
  test(`modelEvents() ends with ${reason} for ${unified}`, async () => {
    const end = { type: 'end', reason, usage }
    assert.deepEqual(await events(word, finish(unified)), [{ type: 'text', text: 'Hello' }, end])
  })

test('modelEvents() reports tool calls by the calls themselves, not by the finish reason of the provider', async () => {
  for (const [unified, reason] of [
    ['tool-calls', 'toolCalls'],
    ['stop', 'toolCalls'],
    ['length', 'length'],
  ] as const)
    assert.deepEqual(await events(call, finish(unified)), [
      { type: 'toolCall', call: { id: 'c', name: 't', input: '{}' } },
      { type: 'end', reason, usage },
    ])
})

test('modelEvents() leaves out calls that the provider made itself, and empty parts', async () => {
  const empty: StreamPart = { type: 'text-delta', id: '0', delta: '' }
  assert.deepEqual(await events(empty, { ...call, providerExecuted: true }, word, finish('stop')), [
    { type: 'text', text: 'Hello' },
    { type: 'end', reason: 'stop', usage },
  ])
})

test('modelEvents() joins a thought and its signature for the first call after it', async () => {
  const read = await events(
    { type: 'reasoning-start', id: 'r', providerMetadata: { a: { x: 1 } } },
    { type: 'reasoning-delta', id: 'r', delta: 'Let me ' },
    { type: 'reasoning-delta', id: 'r', delta: 'think.' },
    { type: 'reasoning-end', id: 'r', providerMetadata: { a: { signature: 's' } } },
    { ...call, providerMetadata: { b: { y: 2 } } },
    call,
    finish('tool-calls'),
  )
  const calls = read.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []))
  assert.deepEqual(calls, [
    {
      id: 'c',
      name: 't',
      input: '{}',
      memo: {
        thoughts: [{ text: 'Let me think.', providerOptions: { a: { x: 1, signature: 's' } } }],
        options: { providerOptions: { b: { y: 2 } } },
      },
    },
    { id: 'c', name: 't', input: '{}' },
  ])
})

for (const [what, parts, message] of [
  ['an answer interrupted before it began', [finish('interrupted')], /its answer ended too early/],
  ['a stream without a finish part', [word], /its answer ended too early/],
  ['a finish with an error', [word, finish('error')], /stopped because of an error/],
  ['an error', [{ type: 'error', error: new Error('no') }], /^no$/],
  ['an error as text', [{ type: 'error', error: 'no' }], /^no$/],
  ['an error as the provider sent it', [{ type: 'error', error: { message: 'no', code: 7 } }], /^no$/],
] as [string, StreamPart[], RegExp][])
  test(`modelEvents() throws for ${what}`, async () => {
    await assert.rejects(events(...parts), { message })
  })
