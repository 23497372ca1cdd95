import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Where free ports are looked for: below those that Linux, from 32768 on, and other systems give to whoever asks for any. One of those may be
 * given to a server or to a connection of another test before it is used, and while a server that was killed starts again.
 */
const PORTS = { from: 10_000, below: 32_000 }

/** Those that this process was given. */
const givenPorts = new Set<number>()

/** A port of the loopback address that nothing listens on, and that the system gives to nobody. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.below)
    if (givenPorts.has(port) || !(await isFree(port))) continue
    givenPorts.add(port)
    return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (isListening) await new Promise((closed) => server.close(closed))
  return isListening
}
