import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Json, parseJson } from '../../../src/kit/json.ts'

export type EngineRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** A JSON body, or the lines of one in NDJSON. */
  body: Json | undefined
  lines: Json[]
}

export type EngineReply = { status: number; body?: unknown; headers?: Record<string, string> }

/** The fault of a call: `on` is a part of its method and path. */
export type EngineFault = { on?: string } & (
  | { reply: EngineReply }
  /** Nothing is done, and the connection ends. */
  | { cut: 'before' }
  /** The call is done, and the connection ends instead of an answer. */
  | { cut: 'after' }
  /** A write is done for the first half of its points, and refused with 500; or answered as the protocol has it. */
  | { half: 'refused' | 'answered' }
)

/** Calls with this header get no answer. */
export const SILENCE = { 'x-test-silence': 'yes' }

export type EngineProtocol = {
  /** Answers a call. `half`: a write does the first half of its points only. */
  answer(request: EngineRequest, half: boolean): EngineReply
  /** The answer of a refusal. */
  refusal(status: number): unknown
}

export type ScriptedEngine = {
  url: string
  calls: EngineRequest[]
  /** The next calls that fit fail like this, one after another. */
  script(...faults: EngineFault[]): void
  /** Called with every call and every answer that is no fault. */
  observe: (request: EngineRequest, reply: EngineReply) => void
  close(): void
}

/** A server on loopback that speaks the protocol of a vector engine, with its points in memory. */
export async function startScriptedEngine(protocol: EngineProtocol): Promise<ScriptedEngine> {
  const faults: EngineFault[] = []
  const http = createServer(async (incoming, response) => {
    const url = new URL(incoming.url!, 'http://engine')
    const raw = await text(incoming)
    const isLines = incoming.headers['content-type'] === 'application/x-ndjson'
    const request: EngineRequest = {
      method: incoming.method!,
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: incoming.headers,
      body: isLines ? undefined : parseJson(raw),
      lines: isLines
        ? raw
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Json)
        : [],
    }
    engine.calls.push(request)
    if (request.headers['x-test-silence'] !== undefined) return
    const at = faults.findIndex(({ on = '' }) => `${request.method} ${request.path}`.includes(on))
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]
    const send = ({ status, body, headers = {} }: EngineReply) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(incoming.method === 'HEAD' || body === undefined ? '' : JSON.stringify(body))
    }
    if (!fault) {
      const reply = protocol.answer(request, false)
      engine.observe(request, reply)
      return send(reply)
    }
    if ('reply' in fault) return send({ body: protocol.refusal(fault.reply.status), ...fault.reply })
    if ('half' in fault) {
      const reply = protocol.answer(request, true)
      return send(fault.half === 'answered' ? reply : { status: 500, body: protocol.refusal(500) })
    }
    if (fault.cut === 'after') protocol.answer(request, false)
    response.socket!.destroy()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const engine: ScriptedEngine = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    calls: [],
    script: (...more) => void faults.push(...more),
    observe: () => {},
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
  return engine
}
