import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { askInput, searchInput } from '../api/protocol.ts'
import { citationPlace, sourceOf } from '../contract/citation.ts'
import type { Document } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { safeName } from '../tools/passages.ts'

/** What a flow offers to agents of others. */
export type FlowTools = {
  /** What the flow is called. */
  name: string
  version: string
  search?(question: { query: string; topK?: number | undefined }, signal: AbortSignal): Promise<Document[]>
  ask?(question: string, signal: AbortSignal): Promise<{ text: string; sources: Document[] }>
}

/**
 * Answers one request of the Model Context Protocol (streamable HTTP, specification 2026-07-28, and that of 2025 for
 * clients of its time): a server without sessions, made anew for each request.
 */
export async function answerMcp(
  {
    request,
    reply,
    gone,
    log,
  }: { request: FastifyRequest; reply: FastifyReply; gone: AbortSignal; log: Log },
  tools: FlowTools,
): Promise<FastifyReply> {
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server')
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: `sluice: ${tools.name}`, version: tools.version })
      offer(server, tools, gone, log)
      return server
    },
    { onerror: (error) => log.debug('mcp-request-refused', { reason: error.message }) },
  )
  const answer = await handler.fetch(webRequest(request, gone), { parsedBody: request.body })
  reply.code(answer.status).headers(Object.fromEntries(answer.headers))
  return reply.send(
    answer.body ? Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream) : '',
  )
}

type Server = InstanceType<typeof import('@modelcontextprotocol/server').McpServer>

function offer(server: Server, tools: FlowTools, gone: AbortSignal, log: Log): void {
  const { search, ask } = tools
  if (search)
    server.registerTool(
      'search',
      {
        title: `Search ${tools.name}`,
        description: `Finds the passages of ${tools.name} that match a question, best first, with their sources`,
        inputSchema: searchInput,
        annotations: { readOnlyHint: true },
      },
      (input, { mcpReq }) =>
        answered(log, async () => {
          const documents = await search(input, AbortSignal.any([gone, mcpReq.signal]))
          return documents.length === 0 ? 'Nothing was found.' : documents.map(passage).join('\n\n')
        }),
    )
  if (ask)
    server.registerTool(
      'ask',
      {
        title: `Ask ${tools.name}`,
        description: `Answers a question with the flow ${tools.name}`,
        inputSchema: askInput,
      },
      ({ question }, { mcpReq }) =>
        answered(log, async () => {
          const { text, sources } = await ask(question, AbortSignal.any([gone, mcpReq.signal]))
          return sources.length === 0 ? text : `${text}\n\nSources:\n${sources.map(sourceLine).join('\n')}`
        }),
    )
}

/** A failure is a result as well: the model that called reads it and can do better. */
async function answered(log: Log, work: () => Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await work() }] }
  } catch (error) {
    const known = error instanceof SluiceError && error.status < 500
    if (!known) log.error('mcp-tool-failed', { code: error instanceof SluiceError ? error.code : 'internal' })
    const text =
      error instanceof SluiceError ? error.message : new SluiceError('internal', { id: 'mcp' }).message
    return { content: [{ type: 'text' as const, text }], isError: true }
  }
}

const passage = (document: Document, index: number) =>
  `${sourceLine(document, index)}\n${document.pageContent}`

function sourceLine({ metadata }: Document, index: number): string {
  const source = safeName(sourceOf(metadata)) || 'without a source'
  const place = safeName(citationPlace(metadata))
  return `[${index + 1}] ${source}${place ? `, ${place}` : ''}`
}

/** The request as the library reads it; its body is parsed already. */
function webRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string') headers.set(name, value)
  const body = request.method === 'POST' ? JSON.stringify(request.body ?? null) : null
  headers.delete('content-length')
  return new Request(new URL(request.url, 'http://localhost'), {
    method: request.method,
    headers,
    body,
    signal,
  })
}
