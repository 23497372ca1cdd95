import type { FastifyReply } from 'fastify'
import { SluiceError } from '../kit/errors.ts'

/** Aborts, with `cancelled`, when the client goes away before it has its answer: nobody pays for what nobody reads. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) gone.abort(new SluiceError('cancelled'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return gone.signal
}
