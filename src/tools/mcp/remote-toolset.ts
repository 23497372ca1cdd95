import type { Client, Tool as RemoteTool } from '@modelcontextprotocol/client'
import type { Tool, ToolOutcome, Toolset } from '../../contract/tool.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import type { JsonObject } from '../../kit/json.ts'
import { secretsIn } from '../request-headers.ts'
import { withoutSecrets } from '../call.ts'
import { uniqueToolName } from '../unique-tool-name.ts'

export type RemoteServer = {
  url: URL
  /** Sent with every call; never shown to a model. */
  headers: Record<string, string>
  egress: Egress
  /** Only tools with these names, as the server calls them; all tools if absent. */
  only?: readonly string[]
}

/** Milliseconds that a server may take for one answer. */
const CALL_MS = 60_000

/** The most bytes of one answer of a server, which may hold pictures. */
const ANSWER_BYTES = 16 * 2 ** 20

/** The most characters of an answer that a model receives. */
const OUTPUT_CHARACTERS = 20_000

/** The most tools from one server. */
const MAX_TOOLS = 500
const MAX_PAGES = 100

/** The part of the client that is used here. */
type Session = Pick<Client, 'listTools' | 'callTool'>

/**
 * The tools of a remote MCP server, over streamable HTTP (modelcontextprotocol.io, specification 2026-07-28,
 * transports; also servers of 2025). Concurrent calls share a session, which is closed after the last of them.
 */
export function remoteToolset(server: RemoteServer): Toolset {
  const secrets = secretsIn(server.headers, server.url.href)
  const { withSession } = sharedSession(server, secrets)

  return {
    tools: (signal) =>
      withSession(signal, async (session) => {
        const remote = await listAll(session, signal)
        const { only } = server
        const taken = new Set<string>()
        return remote
          .filter(({ name }) => only === undefined || only.includes(name))
          .map((tool) => fromRemote(tool, uniqueToolName(tool.name, taken)))
      }),
  }

  function fromRemote(remote: RemoteTool, name: string): Tool {
    return {
      name,
      description: remote.description ?? remote.title ?? name,
      parameters: remote.inputSchema as JsonObject,
      // Only a tool that declares itself read-only is safe.
      unsafe: remote.annotations?.readOnlyHint !== true,
      async call(input, signal) {
        try {
          return await withSession(signal, async (session) => {
            const answer = await session.callTool(
              { name: remote.name, arguments: input },
              { signal, timeout: CALL_MS },
            )
            return outcomeOf(answer, secrets)
          })
        } catch (error) {
          signal.throwIfAborted()
          return { output: `The call did not succeed: ${reasonText(error, secrets)}`, failed: true }
        }
      },
    }
  }
}

/** Opens a session for the first call, and closes it after the last one. */
function sharedSession(server: RemoteServer, secrets: readonly string[]) {
  let users = 0
  let opening: Promise<{ client: Client; close(): Promise<void> }> | undefined
  return {
    async withSession<T>(signal: AbortSignal, use: (session: Session) => Promise<T>): Promise<T> {
      users += 1
      opening ??= connect(server, signal)
      const session = opening
      try {
        return await use((await session).client)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof SluiceError) throw error
        throw new SluiceError(
          'provider_failed',
          { provider: server.url.host, reason: reasonText(error, secrets) },
          { cause: error },
        )
      } finally {
        users -= 1
        if (users === 0) {
          opening = undefined
          await session.then(({ close }) => close()).catch(() => undefined)
        }
      }
    },
  }
}

async function connect({ url, headers, egress }: RemoteServer, signal: AbortSignal) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'sluice', version: '1' })
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: egress.limited({ responseBytes: ANSWER_BYTES }),
    requestInit: { headers },
  })
  await client.connect(transport, { signal, timeout: CALL_MS })
  return { client, close: () => client.close() }
}

async function listAll(session: Session, signal: AbortSignal): Promise<RemoteTool[]> {
  const found: RemoteTool[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES && found.length < MAX_TOOLS; pages++) {
    const page = await session.listTools(cursor === undefined ? {} : { cursor }, { signal, timeout: CALL_MS })
    found.push(...page.tools)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return found.slice(0, MAX_TOOLS)
}

type Answer = Awaited<ReturnType<Session['callTool']>>

/** The texts of an answer; for other content, its type: `[image]`. */
function outcomeOf(
  { content = [], structuredContent, isError }: Answer,
  secrets: readonly string[],
): ToolOutcome {
  const parts = content.map((block) => {
    if (block.type === 'text') return block.text
    if (block.type === 'resource' && 'text' in block.resource) return block.resource.text
    return `[${block.type}]`
  })
  const text = parts.length === 0 && structuredContent ? JSON.stringify(structuredContent) : parts.join('\n')
  const shown = withoutSecrets(text, secrets)
  const output =
    shown.length > OUTPUT_CHARACTERS
      ? `${shown.slice(0, OUTPUT_CHARACTERS)}\n[cut: ${shown.length} characters in all]`
      : shown
  return { output, ...(isError ? { failed: true } : {}) }
}

/** The reason of an error, without the body of the answer, which may be long or confidential. */
const reasonText = (error: unknown, secrets: readonly string[]): string =>
  error instanceof SluiceError
    ? error.message
    : withoutSecrets(reasonOf(error).split('\n')[0]!, secrets).slice(0, 200)
