import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { reasonOf, SluiceError } from './errors.ts'

/** `backlog`: how many connections may wait to be accepted. */
type Address = { host: string; port: number; backlog?: number }

/** The methods of an HTTP application that `serve` needs. */
type App = {
  server: Server
  listen(address: Address): Promise<string>
  close(): Promise<unknown>
}

export type Served = { url: string; close(): Promise<void> }

/** How often connections are checked while a service stops, in milliseconds. */
const LOOK_MS = 20

/**
 * Listens. Port 0 takes a free port, which is in `url`. `close` stops listening, lets open requests finish, and closes the
 * remaining connections after `graceMs`.
 *
 * @throws SluiceError `port_taken`, `address_unusable`
 */
export async function serve(app: App, address: Address, graceMs: number): Promise<Served> {
  const { host, port } = address
  const sockets = watch(app.server)
  try {
    const url = await app.listen(address)
    return {
      url,
      async close() {
        const closed = app.close()
        drain(app.server, sockets, performance.now() + graceMs)
        await closed
      },
    }
  } catch (error) {
    await app.close()
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (taken) throw new SluiceError('port_taken', { host, port }, { cause: error })
    throw new SluiceError('address_unusable', { host, port, reason: reasonOf(error) }, { cause: error })
  }
}

function watch(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/**
 * Node's `close` ends the connections that are idle at that moment. A connection whose request finishes
 * afterwards, and one that a browser opened in advance and never used, would keep the server alive for minutes: these two
 * kinds are closed at once, all others at the deadline.
 */
function drain(server: Server, sockets: ReadonlySet<Socket>, deadline: number): void {
  server.closeIdleConnections()
  for (const socket of sockets) if (socket.bytesRead === 0 || performance.now() >= deadline) socket.destroy()
  if (sockets.size > 0) setTimeout(drain, LOOK_MS, server, sockets, deadline)
}
