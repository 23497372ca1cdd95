import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject, parseJson } from '../../src/kit/json.ts'
import { anthropicMessages } from './chat/anthropic.ts'
import { googleChat } from './chat/google.ts'
import { ollamaChat } from './chat/ollama.ts'
import { openAIChat } from './chat/openai.ts'
import { openAIResponses } from './chat/responses.ts'
import { type Protocol, type Turn, words } from './chat/turn.ts'

export type { Turn } from './chat/turn.ts'

/** The fault of a call, in place of its answer or within it. */
export type ChatFault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection ends before an answer. */
  | 'cut'
  /** The connection ends after the first words of this. */
  | { cutAfter: string }
  /** The first words of this, and then no more bytes. */
  | { silentAfter: string }
  /** No answer comes. */
  | 'silence'

export type ChatCall = {
  protocol: string
  path: string
  /** The query of the address, from `?` on; empty for none. */
  search: string
  headers: IncomingHttpHeaders
  body: JsonObject
  /** Whether the client went away before the end of the answer. */
  aborted: boolean
}

/** A turn, a fault, or either of them as the request has it. */
export type Scene = Turn | ChatFault | ((call: ChatCall) => Turn | ChatFault)

export type ChatServer = {
  /** Without a path. The base URL of OpenAI and Anthropic is this and `/v1`, of Google and `/v1beta`, of Ollama this. */
  url: string
  /** Calls that fit the protocol, in the order of their arrival. */
  calls: ChatCall[]
  /** What did not fit the protocol. */
  violations: string[]
  /** The next calls are answered like this, one after another. */
  script(...scenes: Scene[]): void
  /** The answer after the end of the script; without it such a call is a violation. */
  otherwise: Scene | undefined
  /** How many scenes are left. */
  left(): number
  /** Called with every request, and with every good answer or piece of one. */
  observe: (kind: 'request' | 'answer' | 'chunk', call: ChatCall, value: JsonObject) => void
  close(): void
}

const PROTOCOLS = [openAIChat, openAIResponses, ollamaChat, anthropicMessages, googleChat]

/**
 * A server on loopback with the chat protocols of providers in the place of a model: it answers with the turns of its
 * script, for every question, and fails as the script has it.
 */
export async function startChatServer(): Promise<ChatServer> {
  const scenes: Scene[] = []

  const http = createServer(async (request, response) => {
    const { pathname: path, search } = new URL(request.url!, 'http://localhost')
    const protocol = PROTOCOLS.find((one) => one.path.test(path))
    const body = parseJson(await text(request))
    const wrong =
      protocol && isObject(body) ? protocol.fault(body as JsonObject, path) : 'no protocol has this path'
    if (!protocol || !isObject(body) || wrong !== undefined)
      return refuse(response, `${request.method} ${path}: ${wrong}`, protocol)
    const call: ChatCall = {
      protocol: protocol.name,
      path,
      search,
      headers: request.headers,
      body: body as JsonObject,
      aborted: false,
    }
    response.on('close', () => {
      call.aborted = !response.writableFinished
    })
    server.calls.push(call)
    server.observe('request', call, call.body)
    const scene = scenes.shift() ?? server.otherwise
    if (scene === undefined) return refuse(response, `${path}: the script has ended`, protocol)
    await play(response, protocol, call, typeof scene === 'function' ? scene(call) : scene)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  const server: ChatServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls: [],
    violations: [],
    script: (...more) => void scenes.push(...more),
    otherwise: undefined,
    left: () => scenes.length,
    observe: () => {},
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
  return server

  function refuse(response: ServerResponse, message: string, protocol: Protocol = openAIChat) {
    server.violations.push(message)
    send(response, 400, protocol.error(message))
  }

  async function play(response: ServerResponse, protocol: Protocol, call: ChatCall, scene: Turn | ChatFault) {
    if (scene === 'silence') return
    if (scene === 'cut') return void response.socket!.destroy()
    if ('status' in scene)
      return send(
        response,
        scene.status,
        scene.body ?? protocol.error(`status ${scene.status}`),
        scene.headers,
      )
    const turn =
      'cutAfter' in scene
        ? { text: scene.cutAfter }
        : 'silentAfter' in scene
          ? { text: scene.silentAfter }
          : scene
    const speaking = {
      turn,
      count: server.calls.length,
      model: String(call.body.model ?? 'scripted'),
      usage: { input: Math.ceil(JSON.stringify(call.body).length / 4), output: words(turn).length },
    }
    if (!protocol.streams(call.body, call.path)) {
      const answer = protocol.answer(speaking)
      server.observe('answer', call, answer)
      return send(response, 200, answer)
    }
    response.writeHead(200, { 'content-type': protocol.contentType })
    const chunks = protocol.chunks(speaking)
    const ends = turn === scene
    // The end of the turn follows the words: a broken answer has none.
    for (const chunk of ends ? chunks : chunks.slice(0, protocol.before + words(turn).length)) {
      if (turn.slow !== undefined) await pause(turn.slow)
      if (response.destroyed) return
      server.observe('chunk', call, chunk)
      response.write(protocol.frame(chunk))
    }
    if (ends) response.end(protocol.frame(undefined))
    else if ('cutAfter' in scene) setTimeout(() => response.socket?.destroy(), 20)
  }
}

function send(response: ServerResponse, status: number, body: object | string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
