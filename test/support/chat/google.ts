import type { JsonObject } from '../../../src/kit/json.ts'
import { callsOf, type Protocol, reasonOf, type Speaking, thoughts, words } from './turn.ts'

const REASONS = { stop: 'STOP', length: 'MAX_TOKENS', filtered: 'SAFETY', calls: 'STOP' } as const

/** The signature of a turn's calls; Google requires it with them. */
export const thoughtSignatureOf = (count: number) => `thought-${count}`

/** Google's Gemini. */
export const googleChat: Protocol = {
  name: 'google',
  path: /^\/v1beta\/models\/[\w.-]+:(streamGenerateContent|generateContent)$/,
  fault: ({ contents }) =>
    Array.isArray(contents) && contents.length > 0 ? undefined : 'contents is not specified',
  streams: (_body, path) => path.endsWith(':streamGenerateContent'),
  answer: (speaking) => candidate(speaking, parts(speaking), true),
  chunks: (speaking) => {
    const all = parts(speaking)
    return [
      ...all.map((part) => candidate(speaking, [part], false)),
      candidate(speaking, [{ text: '' }], true),
    ]
  },
  before: 0,
  contentType: 'text/event-stream',
  frame: (chunk) => (chunk ? `data: ${JSON.stringify(chunk)}\r\n\r\n` : ''),
  error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
}

const parts = ({ turn, count }: Speaking): JsonObject[] => [
  ...thoughts(turn).map((text) => ({ text, thought: true })),
  ...words(turn).map((text) => ({ text })),
  ...callsOf(turn, count).map(({ name, input }) => ({
    functionCall: { name, args: input },
    thoughtSignature: thoughtSignatureOf(count),
  })),
]

const candidate = ({ turn, usage, model }: Speaking, content: JsonObject[], last: boolean): JsonObject => ({
  candidates: [
    {
      content: { role: 'model', parts: content },
      index: 0,
      ...(last ? { finishReason: REASONS[reasonOf(turn)] } : {}),
    },
  ],
  usageMetadata: {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
  },
  modelVersion: model,
})
