import { aliveShape, readyShape, versionShape } from '../../api/health.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

export function healthRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/api/v1/ping',
      summary: 'Whether the server answers',
      tag: 'health',
      access: 'open',
      answer: { description: 'The word pong', type: 'text/plain; charset=utf-8' },
      handle: async () => 'pong',
    }),
    route({
      method: 'GET',
      url: '/api/v1/version',
      summary: 'The version of the server',
      tag: 'health',
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
        access: 'open',
        answer: {
          description: 'It is ready; 503 while it is not',
          shape: readyShape,
        },
        async handle() {
          const { checked } = await platform.readiness()
          return { status: 'ready' as const, ...(checked ? {} : { database: 'being checked' as const }) }
        },
      }),
    ),
  ]
}
