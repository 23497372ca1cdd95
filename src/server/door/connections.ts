import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { SluiceError } from '../../kit/errors.ts'
import { type Clients, plainAddress } from './client.ts'
import { answerSocket } from './malformed.ts'

/**
 * Refuses connections beyond so many, in total and of one address. All clients of a listed proxy have its address, so
 * that it has no limit of its own.
 */
export function limitConnections(
  server: Server,
  { total, perAddress, clients }: { total: number; perAddress: number; clients: Clients },
): void {
  const open = new Map<string, number>()
  let all = 0
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const own = (open.get(address) ?? 0) + 1
    all++
    open.set(address, own)
    socket.once('close', () => {
      all--
      const left = open.get(address)! - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    if (all > total || (own > perAddress && !clients.isProxy(address))) {
      answerSocket(socket, new SluiceError('server_busy', { retryAfter: 1 }))
      // The answer is short: a client that does not take it is not waited for.
      socket.once('finish', () => socket.destroy())
    }
  })
}
