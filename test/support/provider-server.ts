import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, parseJson } from '../../src/kit/json.ts'
import { EMBED_DIALECTS } from './embed-dialects.ts'
import { hashVector } from './hash-embedder.ts'

/** The fault of a call, in place of its answer or within it. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** The connection ends before an answer, or in the middle of one. */
  | 'cut'
  | 'cut in the middle'
  /** No answer comes. */
  | 'silence'
  | { dimensions: number }
  /** Vectors that JSON can write and 32 bits cannot hold. */
  | 'infinite'
  | 'too few'
  /** Each vector with its number, the last first. */
  | 'backwards'

export type ProviderCall = {
  protocol: 'openai' | 'ollama' | 'google' | 'dialect'
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  texts: string[]
}

export type ProviderServer = {
  url: string
  /** Calls that fit the protocol, in the order of their arrival. */
  calls: ProviderCall[]
  /** What did not fit the protocol. */
  violations: string[]
  /** The next calls go wrong like this, one after another; `undefined` is a call that goes well. */
  script(...faults: (Fault | undefined)[]): void
  /** Forgets what no call has met. */
  unscript(): void
  /** The next `count` calls are answered at once, all others only after `release()`. */
  hold(count: number): void
  release(): void
  /** How long each answer takes, in milliseconds. */
  answerMs: number
  /** A text of more characters than this is too long. */
  longest: number
  /** Called with every call and every good answer. */
  observe: (kind: 'request' | 'answer', call: ProviderCall, value: unknown) => void
  /** How many calls were under way at once at the most. */
  most(): number
  close(): void
}

type Protocol = {
  name: ProviderCall['protocol']
  path: RegExp
  /** The texts of a call that is made right; undefined for any other. */
  read(body: Record<string, unknown>, path: string): string[] | undefined
  answer(vectors: number[][], body: Record<string, unknown>, order: number[]): object
  error(message: string): object
}

const PROTOCOLS: Protocol[] = [
  {
    name: 'openai',
    path: /^\/v1\/embeddings$/,
    read({ model, input, encoding_format, dimensions, ...rest }) {
      const right =
        typeof model === 'string' &&
        isTexts(input) &&
        input.length <= 2048 &&
        ['float', undefined].includes(encoding_format as string) &&
        (dimensions === undefined || Number.isInteger(dimensions)) &&
        Object.keys(rest).length === 0
      return right ? input : undefined
    },
    answer: (vectors, { model }, order) => ({
      object: 'list',
      data: order.map((index) => ({ object: 'embedding', index, embedding: vectors[index] })),
      model,
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
    error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  },
  {
    name: 'ollama',
    path: /^\/api\/embed$/,
    read: ({ model, input, truncate, options, ...rest }) =>
      typeof model === 'string' &&
      isTexts(input) &&
      typeof truncate === 'boolean' &&
      isObject(options) &&
      Object.keys(rest).length === 0
        ? input
        : undefined,
    answer: (embeddings, { model }) => ({ model, embeddings }),
    error: (error) => ({ error }),
  },
  {
    name: 'google',
    path: /^\/v1beta\/models\/[\w.-]+:(embedContent|batchEmbedContents)$/,
    read(body, path) {
      const requests = path.endsWith(':embedContent') ? [body] : body.requests
      if (!Array.isArray(requests) || requests.length > 100) return undefined
      const texts = requests.map(({ model, content }) =>
        path.includes(`/${model}:`) && content?.parts?.length === 1 ? content.parts[0].text : undefined,
      )
      return isTexts(texts) ? texts : undefined
    },
    answer: (vectors, body) =>
      body.requests
        ? { embeddings: vectors.map((values) => ({ values })) }
        : { embedding: { values: vectors[0] } },
    error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  },
  ...EMBED_DIALECTS.map(
    (dialect): Protocol => ({
      ...dialect,
      name: 'dialect',
      read(body, path) {
        const texts = dialect.read(body, path)
        return isTexts(texts) ? texts : undefined
      },
    }),
  ),
]

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string' && one !== '')

/** A server on loopback with the embedding protocols of OpenAI, Ollama and Google; it fails as `script` has it. */
export async function startProviderServer(dimensions = 8): Promise<ProviderServer> {
  const faults: (Fault | undefined)[] = []
  let held: { count: number; released: PromiseWithResolvers<void> } | undefined
  let underWay = 0
  let most = 0

  const http = createServer(async (request, response) => {
    most = Math.max(most, ++underWay)
    response.on('close', () => underWay--)
    const path = request.url!.split('?')[0]!
    const protocol = PROTOCOLS.find((one) => one.path.test(path))
    const body = parseJson(await text(request))
    const texts = protocol && isObject(body) ? protocol.read(body, path) : undefined
    if (!protocol || !isObject(body) || !texts) {
      provider.violations.push(`${request.method} ${path}: ${JSON.stringify(body)?.slice(0, 300)}`)
      return send(response, 400, { error: 'this is not how I am spoken to' })
    }
    const call = { protocol: protocol.name, path, headers: request.headers, body, texts }
    provider.calls.push(call)
    provider.observe('request', call, body)
    const fault = faults.shift()
    if (held && held.count-- <= 0) await held.released.promise
    if (provider.answerMs > 0) await pause(provider.answerMs)
    if (fault === undefined && texts.some((one) => one.length > provider.longest))
      return send(response, 400, protocol.error('the input length exceeds the context length'))
    answer(response, protocol, call, fault)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  const provider: ProviderServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls: [],
    violations: [],
    script: (...more) => void faults.push(...more),
    unscript() {
      faults.length = 0
    },
    hold(count) {
      held = { count, released: Promise.withResolvers() }
    },
    release() {
      held?.released.resolve()
      held = undefined
    },
    answerMs: 0,
    longest: Infinity,
    observe: () => {},
    most: () => most,
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
  return provider

  function answer(
    response: ServerResponse,
    protocol: Protocol,
    call: ProviderCall,
    fault: Fault | undefined,
  ) {
    if (fault === 'silence') return
    if (fault === 'cut') return void response.socket!.destroy()
    if (fault === 'cut in the middle') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
      return void response.write('{"data": [', () => response.socket!.destroy())
    }
    if (typeof fault === 'object' && 'status' in fault)
      return send(
        response,
        fault.status,
        fault.body ?? protocol.error(`status ${fault.status}`),
        fault.headers,
      )
    const length = typeof fault === 'object' ? fault.dimensions : dimensions
    const vectors = call.texts.map((one) => [...hashVector(one, length)])
    if (fault === 'infinite') vectors[0]![0] = 1e300
    if (fault === 'too few') vectors.pop()
    const order = [...vectors.keys()]
    const value = protocol.answer(vectors, call.body, fault === 'backwards' ? order.reverse() : order)
    provider.observe('answer', call, value)
    send(response, 200, value)
  }
}

function send(response: ServerResponse, status: number, body: object | string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
