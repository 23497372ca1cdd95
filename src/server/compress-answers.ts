import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptedEncodings } from './accept-encoding.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether answers of the route hold a new key, code or session. */
    givesSecret?: boolean
  }
}

/** Shorter answers fit into one packet with their headers. */
const SHORTEST_BYTES = 1024

/** JSON, texts, scripts and drawings; other types are compressed already. */
const COMPRESSIBLE = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?json\b|image\/svg\+xml)/

/** Nearly as small as the best quality, in a tenth of the time. */
const BROTLI_QUALITY = 4

/** Statuses whose answers have no body, or a part of one. */
const WITHOUT_BODY: readonly number[] = [204, 206, 304]

/**
 * Compresses whole answers from 1 kB on, on the threads of zlib: the event loop does not wait. Streams are sent as they come.
 * So are answers that hold a new secret: their length after compression could tell what they have in common with a text
 * that somebody else has put beside it (BREACH).
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) return done(null, payload)
    addVary(reply)
    const accepted = acceptedEncodings(request.headers['accept-encoding'])
    const encoding = accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : undefined
    if (!encoding || request.method === 'HEAD') return done(null, payload)
    const compressed = (error: Error | null, bytes: Buffer) => {
      // What cannot be compressed is sent as it is.
      if (error || bytes.length >= Buffer.byteLength(payload)) return done(null, payload)
      reply.header('content-encoding', encoding).removeHeader('content-length')
      done(null, bytes)
    }
    if (encoding === 'gzip') return gzip(payload, compressed)
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
    const params = { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: payload.length }
    return brotliCompress(payload, { params }, compressed)
  })
}

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  if (payload.length < SHORTEST_BYTES || WITHOUT_BODY.includes(reply.statusCode)) return false
  if (reply.request.routeOptions.config.givesSecret || reply.hasHeader('content-encoding')) return false
  return COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))
}

/** A cache must keep an answer for each encoding. */
function addVary(reply: FastifyReply): void {
  const names = String(reply.getHeader('vary') ?? '')
  if (names.toLowerCase().includes('accept-encoding')) return
  reply.header('vary', names === '' ? 'accept-encoding' : `${names}, accept-encoding`)
}
