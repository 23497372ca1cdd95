import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on loopback before a server: what passes can be cut off, or held back. */
export type SwitchedProxy = {
  url: string
  /** All connections end, and new ones end at once, as where a server is switched off. */
  cut(): void
  /** From now on nothing passes and nothing ends, as where a cable is out; all of it comes after {@link SwitchedProxy.pass}. */
  hold(): void
  pass(): void
  close(): void
}

/** @param port of the server */
export async function switchedProxy(port: number): Promise<SwitchedProxy> {
  let state: 'passes' | 'cut' | 'held' = 'passes'
  const pairs = new Set<readonly [near: Socket, far: Socket]>()
  const server = createServer((near) => {
    if (state === 'cut') {
      near.on('error', () => {})
      near.destroy()
      return
    }
    const pair = [near, connect(port, '127.0.0.1')] as const
    pairs.add(pair)
    near.pipe(pair[1]).pipe(near)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const one of pair) one.destroy()
      })
    }
    if (state === 'held') pauseBoth(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      state = 'cut'
      for (const [near, far] of pairs) {
        near.destroy()
        far.destroy()
      }
    },
    hold() {
      state = 'held'
      pairs.forEach(pauseBoth)
    },
    pass() {
      if (state === 'held') for (const [near, far] of pairs) near.pipe(far).pipe(near)
      state = 'passes'
    },
    close() {
      server.close()
      for (const [near, far] of pairs) {
        near.destroy()
        far.destroy()
      }
    },
  }
}

function pauseBoth([near, far]: readonly [Socket, Socket]): void {
  near.unpipe(far).pause()
  far.unpipe(near).pause()
}
