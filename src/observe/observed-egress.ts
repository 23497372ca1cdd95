import type { Egress, EgressFetch } from '../kit/egress/client.ts'
import { listsHost } from '../kit/egress/rules.ts'
import { codeOf } from './code-of.ts'
import { secondsSince } from './seconds.ts'
import type { Telemetry } from './telemetry.ts'

/**
 * The same client, measured: the outcome of a call is the class of its status, such as `2xx`, or the code of its failure.
 *
 * @param passTo the hosts that get the header `traceparent`: it tells other servers which of their requests belong together
 * @throws SluiceError `config_invalid` for a host that is not valid
 */
export function observedEgress(
  egress: Egress,
  { metrics, tracer }: Telemetry,
  passTo: readonly string[],
): Egress {
  const getsTrace = (url: URL) => listsHost('TRACEPARENT_TO', passTo, url)
  // A list that is not valid ends the start, not each call.
  getsTrace(new URL('http://localhost'))
  const measured =
    (send: EgressFetch): EgressFetch =>
    async (input, init) => {
      const startedAt = performance.now()
      const method = init?.method ?? 'GET'
      const url = urlOf(input)
      const span = tracer.begin(`call ${method}`, {
        kind: 'client',
        attributes: { 'http.request.method': method, 'server.address': url?.hostname },
      })
      let outcome = 'cancelled'
      try {
        const passes = span.traceparent !== undefined && url && getsTrace(url)
        const response = await span.within(() =>
          send(input, passes ? withTraceparent(input, init, span.traceparent!) : init),
        )
        span.set({ 'http.response.status_code': response.status })
        outcome = `${Math.floor(response.status / 100)}xx`
        return response
      } catch (error) {
        if (!init?.signal?.aborted) outcome = codeOf(error)
        throw error
      } finally {
        metrics.outgoing.observe(secondsSince(startedAt), outcome)
        span.end(/^[123]xx$/.test(outcome) ? undefined : outcome)
      }
    }
  const observed = (given: Egress): Egress => ({
    fetch: measured(given.fetch),
    limited: (limits) => measured(given.limited(limits)),
    socket: given.socket,
    forProvider: (...place) => observed(given.forProvider(...place)),
    forMcp: () => observed(given.forMcp()),
    checkPlace: given.checkPlace,
    close: given.close,
  })
  return observed(egress)
}

/** The address of a call; undefined for one that cannot be made. */
function urlOf(input: Parameters<EgressFetch>[0]): URL | undefined {
  const text = input instanceof Request ? input.url : String(input)
  return URL.canParse(text) ? new URL(text) : undefined
}

/**
 * The same call with the header beside its own, which those of `init` replace where it has any. The server that a redirect leads to gets
 * it too, as all headers that are no secrets.
 */
function withTraceparent(
  input: Parameters<EgressFetch>[0],
  init: RequestInit | undefined,
  traceparent: string,
): RequestInit {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
  headers.set('traceparent', traceparent)
  return { ...init, headers }
}
