import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy on the loopback address that can go silent: from then on nothing passes it and nothing is closed, as when a machine
 * on the way is switched off, or the server is frozen.
 */
export async function silentProxy(t: { after(release: () => void): unknown }, port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const silenced = isCut
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      if (isFrozen) from.pause()
      from.on('error', () => {})
      from.on('data', (data) => {
        if (!isCut && !silenced) to.write(data)
      })
      from.on('close', () => {
        sockets.delete(from)
        if (!isCut) to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const own = (server.address() as AddressInfo).port
  return {
    port: own,
    /** An address with the port of the proxy. */
    address(direct: string): string {
      const url = new URL(direct)
      url.port = String(own)
      return url.href
    },
    cut(): void {
      isCut = true
    },
    /** Nothing passes, as where the process of the server is stopped: what was sent arrives once it goes on. */
    freeze(): void {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw(): void {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    /** Connections that begin from now on pass; those that were cut stay silent. */
    mend(): void {
      isCut = false
    },
  }
}
