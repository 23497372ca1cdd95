import type { FastifyReply } from 'fastify'
import { aliveShape, notReadyShape, readyShape, versionShape } from '../../api/health.ts'
import type { DependencyState } from '../../contract/dependency.ts'
import { errorBody } from '../../kit/errors.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

export function healthRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/api/v1/ping',
      summary: 'Whether the server answers',
      tag: 'health',
      work: 'free',
      access: 'open',
      answer: { description: 'The word pong', type: 'text/plain; charset=utf-8' },
      handle: async () => 'pong',
    }),
    route({
      method: 'GET',
      url: '/api/v1/version',
      summary: 'The version of the server',
      tag: 'health',
      work: 'free',
      access: 'open',
      answer: { description: 'The version', shape: versionShape },
      handle: async () => ({ version: platform.version }),
    }),
    ...['/healthz', '/api/v1/healthz'].map((url) =>
      route({
        method: 'GET',
        url,
        summary: 'Whether the process is running',
        tag: 'health',
        work: 'free',
        access: 'open',
        answer: { description: 'It is running', shape: aliveShape },
        handle: async () => ({ status: 'ok' as const }),
      }),
    ),
    ...['/readyz', '/api/v1/readyz'].map((url) =>
      route({
        method: 'GET',
        url,
        summary: 'Whether the server is ready for requests',
        tag: 'health',
        work: 'free',
        access: 'open',
        answer: { description: 'It is ready', shape: readyShape },
        also: [
          {
            status: 503,
            description: 'It is not ready: what it needs is away, or it stops',
            shape: notReadyShape,
          },
        ],
        handle: ({ reply }) => answerReadiness(platform, reply),
      }),
    ),
  ]
}

async function answerReadiness({ readiness, log }: Platform, reply: FastifyReply) {
  const { dependencies, degraded, failure } = await readiness()
  if (failure) {
    log.warn('not-ready', { code: failure.code, away: namesOf(dependencies, 'away') })
    return reply.code(503).send({ ...errorBody(failure), statusCode: 503, dependencies })
  }
  if (degraded.length > 0) log.warn('degraded', { away: degraded.join(', ') })
  const checking = dependencies.some(({ name, state }) => name === 'database' && state === 'checking')
  return {
    status: 'ready' as const,
    ...(checking ? { database: 'being checked' as const } : {}),
    ...(degraded.length > 0 ? { degraded } : {}),
    dependencies,
  }
}

const namesOf = (dependencies: readonly DependencyState[], wanted: DependencyState['state']): string =>
  dependencies
    .filter(({ state }) => state === wanted)
    .map(({ name }) => name)
    .join(', ')
