import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** After how long the ends of a silent connection notice, in milliseconds: as TCP does, only sooner. */
const NOTICED_MS = 15_000

/** A TCP proxy on loopback whose open connections can be cut, or go silent. New ones always pass. */
export type FailingProxy = {
  port: number
  cut(): void
  /** From now on nothing passes the open connections, and nothing closes them, as when a machine on the way is switched off. */
  silence(): void
  close(): void
}

export async function failingProxy(port: number): Promise<FailingProxy> {
  const pairs = new Set<[Socket, Socket]>()
  const silent = new WeakSet<[Socket, Socket]>()
  const end = (pair: [Socket, Socket]) => {
    pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }
  const server = createServer((near) => {
    const pair: [Socket, Socket] = [near, connect(port, '127.0.0.1')]
    pairs.add(pair)
    near.pipe(pair[1]).pipe(near)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        if (!silent.has(pair)) end(pair)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      for (const pair of pairs) end(pair)
    },
    silence() {
      for (const pair of pairs) {
        if (silent.has(pair)) continue
        silent.add(pair)
        for (const socket of pair) socket.unpipe().resume()
        setTimeout(() => end(pair), NOTICED_MS).unref()
      }
    },
    close() {
      server.close()
      for (const pair of pairs) end(pair)
    },
  }
}
