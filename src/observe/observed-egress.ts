import type { Egress, EgressFetch } from '../kit/egress/client.ts'
import { codeOf } from './code-of.ts'
import type { PlatformMetrics } from './platform-metrics.ts'
import { secondsSince } from './seconds.ts'

/** The same client, measured: the outcome of a call is the class of its status, such as `2xx`, or the code of its failure. */
export function observedEgress(egress: Egress, metrics: PlatformMetrics): Egress {
  const measured =
    (send: EgressFetch): EgressFetch =>
    async (input, init) => {
      const startedAt = performance.now()
      let outcome = 'cancelled'
      try {
        const response = await send(input, init)
        outcome = `${Math.floor(response.status / 100)}xx`
        return response
      } catch (error) {
        if (!init?.signal?.aborted) outcome = codeOf(error)
        throw error
      } finally {
        metrics.outgoing.observe(secondsSince(startedAt), outcome)
      }
    }
  return {
    fetch: measured(egress.fetch),
    limited: (limits) => measured(egress.limited(limits)),
    close: egress.close,
  }
}
