import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SluiceError } from '../../kit/errors.ts'

export type BodyLimits = {
  /** Limits of the memory for bodies, in bytes: of all, and of one address. */
  memory: { total: number; perAddress: number }
  /** The minimum speed of a body in bytes per second, measured over `waitMs`; 0 for no limit. */
  rate: number
  waitMs: number
  /** Called for each request that is refused for want of memory. */
  onShed(): void
}

export type BodyWatch = {
  /** Watches the body of a request until it has arrived or its connection is closed. */
  watch(request: IncomingMessage, response: ServerResponse, address: string): void
  close(): void
}

/** A body that is arriving, for the code that reads it. */
export type IncomingBody = {
  /** Reserves memory until the answer has been sent. @throws SluiceError `server_busy` */
  hold(bytes: number): void
  /** Sets the function that is called if the body arrives too slowly. */
  onSlow(fail: (error: SluiceError) => void): void
  /** Ends the watch: the body has arrived. */
  done(): void
}

/** The field of a request with its incoming body. A WeakMap of all requests costs the garbage collector much more. */
const INCOMING = Symbol('incoming body')

type Watched = IncomingMessage & { [INCOMING]?: IncomingBody }

/** The incoming body of a request; undefined for a request without a body. */
export const incomingBodyOf = (request: IncomingMessage): IncomingBody | undefined =>
  (request as Watched)[INCOMING]

type Body = {
  response: ServerResponse
  address: string
  held: number
  bytes: number
  since: number
  fail: ((error: SluiceError) => void) | undefined
}

/** How often bodies are checked, in milliseconds. */
const CHECK_MS = 1000

/** How long the rest of a refused body is read and discarded, so that a client that is still sending gets the answer. */
const LINGER_MS = 5000

/** Limits the speed and the memory of arriving bodies. */
export function createBodyWatch({ memory, rate, waitMs, onShed }: BodyLimits): BodyWatch {
  const arriving = new Map<IncomingMessage, Body>()
  const heldBy = new Map<string, number>()
  let total = 0
  let checkedAt = performance.now()
  const timer = setInterval(checkAll, CHECK_MS).unref()

  function checkAll(): void {
    const now = performance.now()
    // If this process was busy, bytes that clients sent meanwhile are not read yet.
    const late = now - checkedAt > 2 * CHECK_MS
    checkedAt = now
    for (const [request, body] of arriving) {
      // The socket of a request is null after its connection was detached.
      const socket = request.socket as Socket | null
      if (request.complete || !socket || socket.destroyed) arriving.delete(request)
      else if (late || (request.readableLength > 0 && !body.response.writableFinished))
        resetRate(body, request, now)
      else check(request, body, now)
    }
  }

  function resetRate(body: Body, { socket }: IncomingMessage, now: number): void {
    body.bytes = socket.bytesRead
    body.since = now
  }

  function check(request: IncomingMessage, body: Body, now: number): void {
    const elapsed = now - body.since
    if (body.response.writableFinished) {
      if (body.fail !== answered) {
        body.fail = answered
        body.since = now
      } else if (elapsed >= LINGER_MS) request.socket.destroy()
      return
    }
    if (rate === 0 || elapsed < waitMs) return
    if ((request.socket.bytesRead - body.bytes) * 1000 >= rate * elapsed) resetRate(body, request, now)
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
    // An empty field needs no memory and must not add a listener.
    if (bytes === 0) return
    const own = (heldBy.get(body.address) ?? 0) + bytes
    if (own > memory.perAddress || total + bytes > memory.total) {
      onShed()
      throw new SluiceError('server_busy', { retryAfter: 1 })
    }
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
      const incoming: IncomingBody = {
        hold: (more) => hold(body, more),
        onSlow(fail) {
          body.fail = fail
        },
        done: () => void arriving.delete(request),
      }
      ;(request as Watched)[INCOMING] = incoming
    },
    close: () => clearInterval(timer),
  }
}

/** Marks a body whose request was answered before it had arrived. */
const answered = () => {}
