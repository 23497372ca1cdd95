import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { askInput, searchInput } from '../api/protocol.ts'
import { citationPlace, sectionOf, sourceOf } from '../documents/citation.ts'
import type { Document } from '../contract/document.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import { safeName } from '../tools/passages.ts'

/** The tools that a flow offers to agents. */
export type FlowTools = {
  /** The name of the flow. */
  name: string
  version: string
  search?(question: { query: string; topK?: number | undefined }, signal: AbortSignal): Promise<Document[]>
  ask?(question: string, signal: AbortSignal): Promise<{ text: string; sources: Document[] }>
}

/**
 * Answers one request of the Model Context Protocol (streamable HTTP, specifications of 2026-07-28 and 2025). There are no
 * sessions: each request has its own server object.
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
      registerTools(server, tools, gone, log)
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

function registerTools(server: Server, tools: FlowTools, gone: AbortSignal, log: Log): void {
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
        toolResult(log, async () => {
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
        toolResult(log, async () => {
          const { text, sources } = await ask(question, AbortSignal.any([gone, mcpReq.signal]))
          return sources.length === 0 ? text : `${text}\n\nSources:\n${sources.map(sourceLine).join('\n')}`
        }),
    )
}

/** The result of a tool. A failure is a result too: the model reads it and can try again. */
async function toolResult(log: Log, work: () => Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await work() }] }
  } catch (error) {
    const isExpected = error instanceof SluiceError && error.status < 500
    if (!isExpected)
      log.error('mcp-tool-failed', { code: error instanceof SluiceError ? error.code : 'internal' })
    const text =
      error instanceof SluiceError ? error.message : new SluiceError('internal', { id: 'mcp' }).message
    return { content: [{ type: 'text' as const, text }], isError: true }
  }
}

const passage = (document: Document, index: number) =>
  `${sourceLine(document, index)}\n${document.pageContent}`

function sourceLine({ metadata }: Document, index: number): string {
  const source = safeName(sourceOf(metadata)) || 'without a source'
  const place = safeName([citationPlace(metadata), sectionOf(metadata)].filter(Boolean).join(', '))
  return `[${index + 1}] ${source}${place ? `, ${place}` : ''}`
}

/** The request as the library expects it. */
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
