import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { SluiceError } from '../../kit/errors.ts'
import { jsonBounds } from '../../kit/json-bounds.ts'
import { parseJson } from '../../kit/json.ts'
import { type IncomingBody, incomingBodyOf } from './bodies.ts'

export const MEGABYTE = 2 ** 20

/**
 * Reads a JSON body; an empty one counts as `{}`. What is too large, too deep or has too many values is refused as soon
 * as that is seen; nothing is parsed before.
 *
 * @param limit bytes
 * @param goOn tells a client that waits for it to send the body
 * @throws SluiceError `body_invalid`, `body_too_large`, `request_timeout`, `server_busy`
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  goOn: (request: IncomingMessage) => void,
): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN)
  const tooLarge = () => new SluiceError('body_too_large', { limit: `${limit / MEGABYTE} MB` })
  if (declared > limit) throw tooLarge()
  goOn(request)
  const arrival = incomingBodyOf(request)
  // Decoded piece by piece: buffers that are kept until the end would wait for a full garbage collection.
  const decoder = new StringDecoder('utf8')
  let text = ''
  const overBounds = jsonBounds()
  let bytes = 0

  function take(piece: Buffer): void {
    bytes += piece.length
    if (bytes > limit) throw tooLarge()
    arrival?.hold(piece.length)
    const reason = overBounds(piece)
    if (reason !== undefined) throw new SluiceError('body_invalid', { reason })
    text += decoder.write(piece)
  }
  await collect(request, take, arrival)
  if (!Number.isNaN(declared) && bytes !== declared)
    throw new SluiceError('body_invalid', { reason: 'its length is not the one that Content-Length names' })

  text += decoder.end()
  if (text.trim() === '') return {}
  const parsed = parseJson(text)
  if (parsed === undefined)
    throw new SluiceError('body_invalid', { reason: 'it is not JSON, or is nested too deep' })
  return parsed
}

/** Gives the pieces of a body to `take`; after a failure the rest is thrown away. */
function collect(
  request: IncomingMessage,
  take: (piece: Buffer) => void,
  arrival: IncomingBody | undefined,
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
      arrival?.done()
      resolve()
    }
    const onCut = () => fail(new SluiceError('body_invalid', { reason: 'it cannot be read' }))
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut)
    arrival?.onSlow(fail)
  })
}
