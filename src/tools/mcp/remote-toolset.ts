import type { Client, Tool as RemoteTool } from '@modelcontextprotocol/client'
import type { Tool, ToolOutcome, Toolset } from '../../contract/tool.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import type { JsonObject } from '../../kit/json.ts'
import { secretsIn } from '../request-headers.ts'
import { withoutSecrets } from '../describe-answer.ts'
import { uniqueToolName } from './unique-tool-name.ts'

export type RemoteServer = {
  url: URL
  /** Sent with every call; a model never sees them. */
  headers: Record<string, string>
  egress: Egress
  /** Only tools of these names, as the server calls them; all without it. */
  only?: readonly string[]
}

/** How long a server may take for one answer. */
const CALL_MS = 60_000

/** The most characters of an answer that a model is given. */
const OUTPUT_CHARACTERS = 20_000

/** The most tools that are taken from one server. */
const MAX_TOOLS = 500
const MAX_PAGES = 100

/** What of a client is asked here. */
type Session = Pick<Client, 'listTools' | 'callTool'>

/**
 * The tools of a remote MCP server, over streamable HTTP (modelcontextprotocol.io, specification 2026-07-28, transports;
 * servers of 2025 as well). A session lasts as long as somebody uses it: calls side by side share one.
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
      // A server may say that a tool changes nothing; of any other it is to be expected.
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
          return { output: `The call did not succeed: ${said(error, secrets)}`, failed: true }
        }
      },
    }
  }
}

/** Opens a session for the first who needs one, and closes it behind the last. */
function sharedSession(server: RemoteServer, secrets: readonly string[]) {
  let users = 0
  let opening: Promise<{ client: Client; close(): Promise<void> }> | undefined
  return {
    async withSession<T>(signal: AbortSignal, use: (session: Session) => Promise<T>): Promise<T> {
      users += 1
      opening ??= connect(server, signal)
      const mine = opening
      try {
        return await use((await mine).client)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof SluiceError) throw error
        throw new SluiceError(
          'provider_failed',
          { provider: server.url.host, reason: said(error, secrets) },
          { cause: error },
        )
      } finally {
        users -= 1
        if (users === 0) {
          opening = undefined
          await mine.then(({ close }) => close()).catch(() => undefined)
        }
      }
    },
  }
}

async function connect({ url, headers, egress }: RemoteServer, signal: AbortSignal) {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'sluice', version: '1' })
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: (target, init) => egress.fetch(target, init),
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

/** The texts of an answer; what is no text is named. */
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

/** What went wrong, without the answer's body, which may be long or hold what is none of the model's business. */
const said = (error: unknown, secrets: readonly string[]): string =>
  error instanceof SluiceError
    ? error.message
    : withoutSecrets(reasonOf(error).split('\n')[0]!, secrets).slice(0, 200)
