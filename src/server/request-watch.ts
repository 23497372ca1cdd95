import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../kit/errors.ts'
import type { Counter, Histogram } from '../kit/metrics.ts'
import type { Log } from '../kit/log.ts'
import type { Tracer } from '../kit/tracing.ts'
import { trailOf } from './request-trail.ts'

/** The route of requests that no route takes, in metrics. */
const NO_ROUTE = 'none'

/** The status of a request whose client left before any answer, as some proxies write it. */
const CLIENT_LEFT = 499

/** The errors of requests that were refused because too many jobs wait, of all keys or of theirs. */
const TOO_MANY_JOBS: ReadonlySet<string> = new Set(['queue_full', 'queue_share_full'] satisfies ErrorCode[])

/** Counts and traces all requests, and writes a line for each into the log where `accessLog` is set. */
export function watchRequests(
  app: FastifyInstance,
  {
    requests,
    shed,
    tracer,
    log,
    accessLog,
  }: { requests: Histogram; shed: Counter; tracer: Tracer; log: Log; accessLog: boolean },
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now()
    const sentBefore = request.raw.socket.bytesWritten
    const { method } = request
    const route = request.is404 ? NO_ROUTE : request.routeOptions.url!
    const { traceparent } = request.headers
    const span = tracer.begin(`${method} ${route}`, {
      kind: 'server',
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': method, 'http.route': route, 'sluice.request': request.id },
    })
    // `close` comes also where the client leaves early.
    reply.raw.once('close', () => {
      const ms = performance.now() - startedAt
      const status = statusOf(reply)
      requests.observe(ms / 1000, method, route, String(status))
      const { failureCode } = request
      if (failureCode !== undefined && TOO_MANY_JOBS.has(failureCode)) shed.add(1, 'jobs')
      span.set({ 'http.response.status_code': status, 'sluice.flow': request.flow?.id })
      span.end(status >= 500 ? (request.failureCode ?? 'internal') : undefined)
      if (accessLog) void logRequest(log, request, { status, ms, sentBefore })
    })
    span.within(done)
  })
}

const statusOf = ({ raw }: FastifyReply): number => (raw.headersSent ? raw.statusCode : CLIENT_LEFT)

async function logRequest(
  log: Log,
  request: FastifyRequest,
  { status, ms, sentBefore }: { status: number; ms: number; sentBefore: number },
): Promise<void> {
  const bytes = request.raw.socket.bytesWritten - sentBefore
  const { caller } = await request.caller.forAudit().catch(() => ({ caller: 'unknown' }))
  log.info('request', { ...trailOf(request), status, ms: Math.round(ms * 100) / 100, bytes, caller })
}
