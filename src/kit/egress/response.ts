import { SluiceError } from '../errors.ts'
import { callFailure, NetworkError } from './network-error.ts'

export type ResponseLimits = {
  /** The most bytes of the body, decompressed. */
  responseBytes: number
  /** The longest silence within the answer, in milliseconds. */
  idleMs: number
}

type Source = {
  status: number
  statusText: string
  headers: Iterable<[string, string]>
  body: AsyncIterable<Uint8Array> | null
}

export type Guard = {
  url: URL
  limits: ResponseLimits
  signal: AbortSignal | null | undefined
  /** Ends the call. */
  stop(reason: Error): void
}

const MEGABYTE = 2 ** 20

const sizeOf = (bytes: number) => (bytes < MEGABYTE ? `${bytes} bytes` : `${Math.round(bytes / MEGABYTE)} MB`)

/** The answer with a body that fails with a `SluiceError` if it is too large, stops or breaks off. */
export function guardResponse(source: Source, { url, limits, signal, stop }: Guard): Response {
  const { responseBytes, idleMs } = limits
  const chunks = source.body?.[Symbol.asyncIterator]()
  let received = 0

  const next = async () => {
    const idle = Promise.withResolvers<never>()
    const silence = () => {
      const error = new SluiceError('provider_timeout', { provider: url.host, seconds: idleMs / 1000 })
      stop(error)
      idle.reject(error)
    }
    const timer = setTimeout(silence, idleMs)
    try {
      return await Promise.race([chunks!.next(), idle.promise])
    } catch (error) {
      signal?.throwIfAborted()
      throw callFailure(url.host, error, idleMs / 1000)
    } finally {
      clearTimeout(timer)
    }
  }

  const body =
    chunks &&
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await next()
        if (done) return controller.close()
        received += value.byteLength
        if (received > responseBytes) {
          const error = new SluiceError('provider_failed', {
            provider: url.host,
            reason: `its answer is larger than ${sizeOf(responseBytes)}`,
          })
          stop(error)
          throw error
        }
        controller.enqueue(value)
      },
      cancel: () => stop(new NetworkError(url.host, 'the rest of the answer was not read')),
    })
  const { status, statusText } = source
  const response = new Response(body, { status, statusText, headers: [...source.headers] })
  return Object.defineProperty(response, 'url', { value: url.href })
}
