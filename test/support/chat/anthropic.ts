import type { JsonObject } from '../../../src/kit/json.ts'
import { callsOf, type Protocol, reasonOf, type Speaking, thoughts, words } from './turn.ts'

const REASONS = { stop: 'end_turn', length: 'max_tokens', filtered: 'refusal', calls: 'tool_use' } as const

/** The signature of the thoughts of a turn; Anthropic requires it with the calls that follow from them. */
export const signatureOf = (count: number) => `signature-${count}`

/** Anthropic's messages. */
export const anthropicMessages: Protocol = {
  name: 'anthropic',
  path: /^\/v1\/messages$/,
  fault({ model, messages, max_tokens }) {
    if (typeof model !== 'string' || typeof max_tokens !== 'number')
      return 'model and max_tokens are required'
    if (!Array.isArray(messages) || messages.length === 0) return 'messages are required'
    const roles = messages.map((message) => (message as JsonObject).role)
    if (roles.some((role) => role !== 'user' && role !== 'assistant')) return 'unknown role'
    return undefined
  },
  streams: ({ stream }) => stream === true,
  answer: (speaking) => ({
    ...message(speaking),
    content: blocks(speaking).map(({ whole }) => whole),
    stop_reason: REASONS[reasonOf(speaking.turn)],
    usage: { input_tokens: speaking.usage.input, output_tokens: speaking.usage.output },
  }),
  chunks: (speaking) => [
    { type: 'message_start', message: { ...message(speaking), content: [] } },
    { type: 'ping' },
    ...blocks(speaking).flatMap(({ start, deltas }, index): JsonObject[] => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: REASONS[reasonOf(speaking.turn)], stop_sequence: null },
      usage: { output_tokens: speaking.usage.output },
    },
    { type: 'message_stop' },
  ],
  before: 3,
  contentType: 'text/event-stream',
  frame: (chunk) => (chunk ? `event: ${chunk.type}\ndata: ${JSON.stringify(chunk)}\n\n` : ''),
  error: (text) => ({ type: 'error', error: { type: 'invalid_request_error', message: text } }),
}

const message = ({ count, model, usage }: Speaking) => ({
  id: `msg_${count}`,
  type: 'message',
  role: 'assistant',
  model,
  usage: { input_tokens: usage.input, output_tokens: 0 },
})

type Block = { start: JsonObject; deltas: JsonObject[]; whole: JsonObject }

function blocks({ turn, count }: Speaking): Block[] {
  const thinking = thoughts(turn)
  const text = words(turn)
  const signature = signatureOf(count)
  return [
    ...(thinking.length === 0
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '' },
            deltas: [
              ...thinking.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
              { type: 'signature_delta', signature },
            ],
            whole: { type: 'thinking', thinking: thinking.join(''), signature },
          },
        ]),
    ...(text.length === 0
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: text.map((piece) => ({ type: 'text_delta', text: piece })),
            whole: { type: 'text', text: text.join('') },
          },
        ]),
    ...callsOf(turn, count).map(({ id, name, input, pieces }) => ({
      start: { type: 'tool_use', id, name, input: {} },
      deltas: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      whole: { type: 'tool_use', id, name, input },
    })),
  ]
}
