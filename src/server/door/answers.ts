import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes connections whose client takes nothing of an answer for `waitMs`: the answer stays in memory until then. A connection on which an
 * answer is still being made may be silent for any time.
 */
export function closeStalledReaders(server: Server, waitMs: number): void {
  const answering = new WeakMap<Socket, number>()
  const count = (socket: Socket, by: number) => answering.set(socket, (answering.get(socket) ?? 0) + by)
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  // Also called for a connection that is kept open and has been idle for so long as Node allows.
  server.setTimeout(waitMs, (socket) => {
    if (socket.writableLength > 0 || (answering.get(socket) ?? 0) === 0) socket.destroy()
  })
}
