import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How often connections are looked at while the service stops. */
const LOOK_MS = 20

/**
 * Watches the connections of a server, so that it can stop without waiting for clients that want nothing.
 *
 * Node's `close` ends the connections that are idle at that moment. The one whose request finishes afterwards, and
 * the one that a browser opened in advance and never used, would keep the server alive for minutes. Call the
 * function returned as the server begins to close: it ends these two kinds at once and everything else after
 * `graceMs`. It stops by itself once no connection is left.
 */
export function watchConnections(server: Server): (graceMs: number) => void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return (graceMs) => {
    const deadline = performance.now() + graceMs
    const look = (): void => {
      server.closeIdleConnections()
      for (const socket of sockets)
        if (socket.bytesRead === 0 || performance.now() >= deadline) socket.destroy()
      if (sockets.size > 0) setTimeout(look, LOOK_MS)
    }
    look()
  }
}
