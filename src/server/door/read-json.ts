import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { SluiceError } from '../../kit/errors.ts'
import { jsonBounds } from '../../kit/json-bounds.ts'
import { parseJson } from '../../kit/json.ts'
import { type IncomingBody, incomingBodyOf } from './bodies.ts'

export const MEGABYTE = 2 ** 20

/**
 * Reads a JSON body; an empty one counts as `{}`. A body that is too large, too deep or has too many values is refused while
 * it arrives, before it is parsed.
 *
 * @param limit in bytes
 * @param sendContinue answers `Expect: 100-continue`, so that the client sends the body
 * @throws SluiceError `body_invalid`, `body_too_large`, `request_timeout`, `server_busy`
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  sendContinue: (request: IncomingMessage) => void,
): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN)
  const tooLarge = () => new SluiceError('body_too_large', { limit: `${limit / MEGABYTE} MB` })
  if (declared > limit) throw tooLarge()
  sendContinue(request)
  const incoming = incomingBodyOf(request)
  // Each piece is decoded at once: buffers that live until the end are freed only by a full garbage collection.
  const decoder = new StringDecoder('utf8')
  let text = ''
  const overBounds = jsonBounds()
  let bytes = 0

  function take(piece: Buffer): void {
    bytes += piece.length
    if (bytes > limit) throw tooLarge()
    incoming?.hold(piece.length)
    const reason = overBounds(piece)
    if (reason !== undefined) throw new SluiceError('body_invalid', { reason })
    text += decoder.write(piece)
  }
  await collect(request, take, incoming)
  if (!Number.isNaN(declared) && bytes !== declared)
    throw new SluiceError('body_invalid', { reason: 'its length differs from Content-Length' })

  text += decoder.end()
  if (text.trim() === '') return {}
  const parsed = parseJson(text)
  if (parsed === undefined)
    throw new SluiceError('body_invalid', { reason: 'it is not JSON, or is nested too deep' })
  return parsed
}

/** Passes the pieces of a body to `take`. After a failure the rest is discarded. */
function collect(
  request: IncomingMessage,
  take: (piece: Buffer) => void,
  incoming: IncomingBody | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut)
    }
    const fail = (error: unknown) => {
      stop()
      request.on('error', () => {})
      request.resume()
      reject(error)
    }
    const onData = (piece: Buffer) => {
      try {
        take(piece)
      } catch (error) {
        fail(error)
      }
    }
    const onEnd = () => {
      stop()
      incoming?.done()
      resolve()
    }
    const onCut = () => fail(new SluiceError('body_invalid', { reason: 'it cannot be read' }))
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
    incoming?.onSlow(fail)
  })
}
