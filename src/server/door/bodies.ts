import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SluiceError } from '../../kit/errors.ts'

export type BodyLimits = {
  /** Bytes that all bodies, and those of one address, may hold in memory at a time. */
  memory: { total: number; perAddress: number }
  /** Bytes a second that a body must bring, measured over `waitMs`; 0 for no limit. */
  rate: number
  waitMs: number
}

export type BodyWatch = {
  /** Watches the body of a request until it has arrived or the connection is over. */
  watch(request: IncomingMessage, response: ServerResponse, address: string): void
  close(): void
}

/** A body on its way, for whatever reads it. */
export type IncomingBody = {
  /** Takes memory until the answer is over. @throws SluiceError `server_busy` */
  hold(bytes: number): void
  /** Says how the reader fails where the body arrives too slowly. */
  onSlow(fail: (error: SluiceError) => void): void
  /** Ends the watch, once the body is there. */
  done(): void
}

/** Where a request keeps its arrival: a WeakMap of all requests would cost the garbage collector much more. */
const ARRIVAL = Symbol('arrival')

type Watched = IncomingMessage & { [ARRIVAL]?: IncomingBody }

/** The body of a request on its way; undefined where the request announced none. */
export const incomingBodyOf = (request: IncomingMessage): IncomingBody | undefined =>
  (request as Watched)[ARRIVAL]

type Body = {
  response: ServerResponse
  address: string
  held: number
  bytes: number
  since: number
  fail: ((error: SluiceError) => void) | undefined
}

/** How often bodies are looked at. */
const LOOK_MS = 1000

/** How long the rest of a refused body is read and thrown away: a client that still sends would not see the answer. */
const LINGER_MS = 5000

/** The bodies that are on their way: how fast they arrive, and how much memory they take. */
export function createBodyWatch({ memory, rate, waitMs }: BodyLimits): BodyWatch {
  const arriving = new Map<IncomingMessage, Body>()
  const heldBy = new Map<string, number>()
  let total = 0
  let lookedAt = performance.now()
  const looking = setInterval(look, LOOK_MS).unref()

  function look(): void {
    const now = performance.now()
    // Where this process was busy, what clients sent in the meantime has not been read yet.
    const late = now - lookedAt > 2 * LOOK_MS
    lookedAt = now
    for (const [request, body] of arriving) {
      // Node takes the socket from a request whose connection was detached from it.
      const socket = request.socket as Socket | null
      if (request.complete || !socket || socket.destroyed) arriving.delete(request)
      else if (late || (request.readableLength > 0 && !body.response.writableFinished))
        restart(body, request, now)
      else check(request, body, now)
    }
  }

  function restart(body: Body, { socket }: IncomingMessage, now: number): void {
    body.bytes = socket.bytesRead
    body.since = now
  }

  function check(request: IncomingMessage, body: Body, now: number): void {
    const took = now - body.since
    if (body.response.writableFinished) {
      if (body.fail !== answered) {
        body.fail = answered
        body.since = now
      } else if (took >= LINGER_MS) request.socket.destroy()
      return
    }
    if (rate === 0 || took < waitMs) return
    if ((request.socket.bytesRead - body.bytes) * 1000 >= rate * took) restart(body, request, now)
    else if (body.fail) {
      const { fail } = body
      body.fail = undefined
      fail(new SluiceError('request_timeout'))
    } else request.socket.destroy()
  }

  function release(body: Body): void {
    total -= body.held
    const left = (heldBy.get(body.address) ?? 0) - body.held
    if (left > 0) heldBy.set(body.address, left)
    else heldBy.delete(body.address)
    body.held = 0
  }

  function hold(body: Body, bytes: number): void {
    // An empty field takes none; it must not add a listener either.
    if (bytes === 0) return
    const own = (heldBy.get(body.address) ?? 0) + bytes
    if (own > memory.perAddress || total + bytes > memory.total)
      throw new SluiceError('server_busy', { retryAfter: 1 })
    if (body.held === 0) body.response.once('close', () => release(body))
    body.held += bytes
    total += bytes
    heldBy.set(body.address, own)
  }

  return {
    watch(request, response, address) {
      const bytes = request.socket.bytesRead
      const body: Body = { response, address, held: 0, bytes, since: performance.now(), fail: undefined }
      arriving.set(request, body)
      const arrival: IncomingBody = {
        hold: (more) => hold(body, more),
        onSlow(fail) {
          body.fail = fail
        },
        done: () => void arriving.delete(request),
      }
      ;(request as Watched)[ARRIVAL] = arrival
    },
    close: () => clearInterval(looking),
  }
}

/** The reader of a body that was answered before it had arrived. */
const answered = () => {}
