import assert from 'node:assert/strict'
import type { ChatModel, ModelRequest, ModelEvent } from '../../src/contract/chat-model.ts'

/** What the model does in a turn: it answers words, calls tools, or never ends. */
export type ModelTurn =
  | string
  | { text?: string; thinking?: string; calls?: { name: string; input: object | string }[]; tokens?: number }
  | 'silence'
  | ((request: ModelRequest) => string)

export type ScriptedModel = ChatModel & { requests: ModelRequest[] }

/** A chat model that plays turns one after another, and remembers what it was asked. */
export function scriptedModel(...turns: ModelTurn[]): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    id: 'scripted',
    streaming: true,
    images: false,
    requests,
    async *stream(request, signal): AsyncIterable<ModelEvent> {
      requests.push(structuredClone(request) as ModelRequest)
      const turn = turns[requests.length - 1]
      assert.ok(turn !== undefined, `the script has ${turns.length} turns, and the model is asked once more`)
      if (turn === 'silence') await untilAborted(signal)
      const said = typeof turn === 'string' ? turn : typeof turn === 'function' ? turn(request) : undefined
      const { text = said ?? '', thinking, calls = [], tokens = 1 } = typeof turn === 'object' ? turn : {}
      if (thinking !== undefined) yield { type: 'thinking', text: thinking }
      for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word }
      for (const [index, { name, input }] of calls.entries()) {
        const id = `call-${requests.length}-${index}`
        const written = typeof input === 'string' ? input : JSON.stringify(input)
        yield { type: 'toolCall', call: { id, name, input: written } }
      }
      const usage = { inputTokens: tokens, outputTokens: 1 }
      yield { type: 'end', reason: calls.length > 0 ? 'toolCalls' : 'stop', usage }
    },
  }
}

const untilAborted = (signal: AbortSignal) =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
