import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ToolServer = {
  url: string
  /** The headers `authorization` of all calls. */
  seen: string[]
  /** The bodies of all calls. */
  bodies: string[]
  /** The text of the next answers; `call 1`, `call 2`… unless given. */
  answer: string | undefined
  close(): void
}

/** A server that a request tool calls: it counts its calls. */
export async function startToolServer(): Promise<ToolServer> {
  const http = createServer(async (request, response) => {
    tools.seen.push(request.headers.authorization ?? '')
    tools.bodies.push(await text(request))
    response.setHeader('content-type', 'text/plain')
    response.end(tools.answer ?? `call ${tools.bodies.length}`)
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const tools: ToolServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/text`,
    seen: [],
    bodies: [],
    answer: undefined,
    close: () => http.close(),
  }
  return tools
}
