import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** What a path answers: a page of HTML as text, or the result of the function. */
export type Answer = string | ((request: IncomingMessage, response: ServerResponse, site: string) => void)

export type Website = {
  /** Without a slash at its end. */
  url: string
  /** The paths that were asked for, in order, and how many were under way at the most. */
  asked: string[]
  mostAtOnce: number
}

/** A site on this machine that is gone with the file's tests. A path that is not there answers 404. */
export async function website(pages: Record<string, Answer>): Promise<Website> {
  const site: Website = { url: '', asked: [], mostAtOnce: 0 }
  let atOnce = 0
  const server = createServer((request, response) => {
    site.asked.push(request.url!)
    site.mostAtOnce = Math.max(site.mostAtOnce, ++atOnce)
    response.once('close', () => atOnce--)
    const answer = pages[request.url!]
    if (typeof answer === 'function') answer(request, response, site.url)
    else if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(answer)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return site
}

export const typed =
  (type: string, body: string | Uint8Array): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body)

export const redirect =
  (to: string, status = 302): Answer =>
  (_request, response) =>
    void response.writeHead(status, { location: to }).end()
