import { createServer, request } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/**
 * Elasticsearch behind a proxy that answers `GET /`, with the version that its nodes report: the module with that route is not
 * published. All else passes as it is. The proxy does not keep the process running.
 */
export async function withRoot(url: string): Promise<string> {
  const { nodes } = (await (await fetch(`${url}/_nodes?filter_path=nodes.*.version`)).json()) as {
    nodes: Record<string, { version: string }>
  }
  const root = JSON.stringify({
    name: 'node',
    version: { number: Object.values(nodes)[0]!.version, build_flavor: 'default' },
    tagline: 'You Know, for Search',
  })
  const proxy = createServer((from, to) => {
    if (from.url === '/' && from.method === 'GET') {
      to.writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
      to.end(root)
      return
    }
    const passed = request(`${url}${from.url}`, { method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(to)
    })
    passed.on('error', () => to.destroy())
    to.on('close', () => passed.destroy())
    from.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxy.unref()
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
