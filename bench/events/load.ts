import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type Load = { perSecond: number; p99Ms: number; busy: number }

/**
 * Keep-alive connections to one server, each with one request under way at a time. Requests are bytes made
 * beforehand and answers are looked at just enough to know their status and end, so that the server is what is measured.
 */
export class LoadClient {
  readonly #sockets: Socket[]

  private constructor(sockets: Socket[]) {
    this.#sockets = sockets
  }

  static async open(port: number, connections: number): Promise<LoadClient> {
    const sockets = Array.from({ length: connections }, () =>
      connect({ port, host: '127.0.0.1', noDelay: true }),
    )
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    return new LoadClient(sockets)
  }

  /** Sends every request once, spread over the connections; `busy` is the share of one core this took here. */
  async run(requests: readonly Buffer[], status: number): Promise<Load> {
    const latencies = new Float64Array(requests.length)
    let next = 0
    const work = (socket: Socket): Promise<void> =>
      new Promise((resolve, reject) => {
        let current = 0
        let sentAt = 0
        let received: Buffer | undefined
        const send = (): void => {
          if (next === requests.length) {
            socket.removeAllListeners('data')
            resolve()
            return
          }
          current = next++
          sentAt = performance.now()
          socket.write(requests[current]!)
        }
        socket.on('data', (chunk) => {
          received = received ? Buffer.concat([received, chunk]) : chunk
          const answer = endOf(received)
          if (answer === undefined || received.length < answer.end) return
          if (answer.status !== status) return reject(new Error(`answered ${answer.status}, not ${status}`))
          received = undefined
          latencies[current] = performance.now() - sentAt
          send()
        })
        send()
      })

    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    await Promise.all(this.#sockets.map(work))
    const elapsedMs = performance.now() - startedAt
    const { user, system } = process.cpuUsage(cpu)
    return {
      perSecond: (requests.length / elapsedMs) * 1000,
      p99Ms: latencies.sort()[Math.floor(requests.length * 0.99)]!,
      busy: (user + system) / 1000 / elapsedMs,
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** Status and length in bytes of the answer that begins these bytes; `undefined` while its head is incomplete. */
function endOf(bytes: Buffer): { status: number; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0'
  return { status: Number(head.slice(9, 12)), end: headEnd + 4 + Number(length) }
}
