import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

const agent = new Agent({ keepAlive: true })

/** Sends JSON over a connection that is kept open; returns the answer. @throws Error for every status but 2xx */
export function callJson(method: string, url: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = body && JSON.stringify(body)
    const headers = sent
      ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
      : {}
    request(url, { method, agent, headers }, (response) => {
      text(response).then((answer) => {
        const status = response.statusCode!
        if (status >= 200 && status < 300) resolve(JSON.parse(answer))
        else reject(new Error(`${method} ${url} answered ${status}: ${answer.slice(0, 300)}`))
      }, reject)
    })
      .on('error', reject)
      .end(sent)
  })
}
