import type { FastifyReply } from 'fastify'
import { SluiceError } from '../kit/errors.ts'

/** Aborts when the client goes away before it has its answer: nobody pays for what nobody reads. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new SluiceError('cancelled'))
  })
  return gone.signal
}
