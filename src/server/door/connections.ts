import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { SluiceError } from '../../kit/errors.ts'
import { type Clients, plainAddress } from './client.ts'
import { answerSocket } from './malformed.ts'

/**
 * Limits the number of connections, in total and per address. A listed proxy has no limit per address, because all its
 * clients have its address.
 */
export function limitConnections(
  server: Server,
  {
    total,
    perAddress,
    clients,
    onShed,
  }: { total: number; perAddress: number; clients: Clients; onShed(): void },
): void {
  const open = new Map<string, number>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const own = (open.get(address) ?? 0) + 1
    count++
    open.set(address, own)
    socket.once('close', () => {
      count--
      const left = open.get(address)! - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    if (count > total || (own > perAddress && !clients.isProxy(address))) {
      onShed()
      answerSocket(socket, new SluiceError('server_busy', { retryAfter: 1 }))
      // Does not wait for a client that does not read the answer.
      socket.once('finish', () => socket.destroy())
    }
  })
}
