import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'

/** The used fields of a message of OpenAI's chat protocol. */
export type Message = { role: string; content?: string | null }

/** A turn of the model: a text, or a call of a tool. */
export type ScriptedTurn = { say: string } | { call: string; input: object }

type Request = { model: string; messages: Message[]; stream?: boolean }
type Choice = { delta: object; finish_reason: string | null }

/**
 * Starts a server on loopback that answers OpenAI's chat protocol from a script instead of a model, so that an agent can be
 * tried without a model.
 *
 * @param script the turn of the model after these messages
 */
export async function startScriptedModel(
  script: (messages: readonly Message[]) => ScriptedTurn,
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const app = Fastify({ logger: false, forceCloseConnections: true })
  app.post<{ Body: Request }>('/v1/chat/completions', (request, reply) => {
    const { model, messages } = request.body
    const head = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model }
    const chunks = choicesOf(script(messages)).map((choice) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, ...choice }],
    }))
    const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    reply.type('text/event-stream')
    return reply.send(Readable.from(events.map((event) => `data: ${event}\n\n`)))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => app.close() }
}

/** A turn as the pieces of a stream, word by word. */
function choicesOf(turn: ScriptedTurn): Choice[] {
  if ('say' in turn) {
    const words = turn.say.match(/\S+\s*/g) ?? []
    return [
      { delta: { role: 'assistant', content: '' }, finish_reason: null },
      ...words.map((content) => ({ delta: { content }, finish_reason: null })),
      { delta: {}, finish_reason: 'stop' },
    ]
  }
  const call = {
    index: 0,
    id: `call_${randomUUID().slice(0, 8)}`,
    type: 'function',
    function: { name: turn.call, arguments: JSON.stringify(turn.input) },
  }
  return [
    { delta: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: null },
    { delta: {}, finish_reason: 'tool_calls' },
  ]
}
