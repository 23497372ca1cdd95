import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { isObject, parseJson } from '../../src/kit/json.ts'

/** The fault of a call, in place of its answer or within it. */
export type RerankFault =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { answer: unknown }
  | 'cut'
  | 'silence'

export type RerankCall = {
  headers: IncomingHttpHeaders
  socket: Socket
  body: { model: string; query: string; documents: string[]; top_n: number }
}

export type RerankServer = {
  /** The address below which `/rerank` is. */
  url: string
  calls: RerankCall[]
  /** What did not fit the protocol. */
  violations: string[]
  /** The next calls go wrong like this, one after another. */
  script(...faults: RerankFault[]): void
  close(): void
}

/** A server on loopback that reranks as Cohere does: the shorter a text, the better it answers. */
export async function startRerankServer(): Promise<RerankServer> {
  const faults: RerankFault[] = []
  const http = createServer(async (request, response) => {
    const body = parseJson(await text(request))
    if (request.method !== 'POST' || request.url !== '/v2/rerank' || !isCall(body)) {
      server.violations.push(`${request.method} ${request.url}: ${JSON.stringify(body)?.slice(0, 300)}`)
      return response.writeHead(400).end('{"message": "this is not how I am spoken to"}')
    }
    server.calls.push({ headers: request.headers, socket: request.socket, body })
    const fault = faults.shift()
    if (fault === 'silence') return
    if (fault === 'cut') return request.socket.destroy()
    if (fault && 'status' in fault)
      return response.writeHead(fault.status, fault.headers).end(fault.body ?? '{"message": "no"}')
    const results = body.documents
      .map((document, index) => ({ index, relevance_score: 1 / document.length }))
      .toSorted((one, other) => other.relevance_score - one.relevance_score)
      .slice(0, body.top_n)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(fault ? fault.answer : { id: 'x', results }))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: RerankServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v2`,
    calls: [],
    violations: [],
    script: (...more) => void faults.push(...more),
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
  return server
}

const isCall = (body: unknown): body is RerankCall['body'] =>
  isObject(body) &&
  Object.keys(body).sort().join() === 'documents,model,query,top_n' &&
  typeof body.model === 'string' &&
  typeof body.query === 'string' &&
  Array.isArray(body.documents) &&
  body.documents.every((document) => typeof document === 'string') &&
  Number.isInteger(body.top_n) &&
  (body.top_n as number) <= body.documents.length
