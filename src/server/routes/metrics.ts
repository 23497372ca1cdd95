import { METRICS_TYPE } from '../../kit/metrics.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

export function metricsRoutes({ metrics }: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/metrics',
      summary: 'Figures of the server for Prometheus',
      tag: 'health',
      work: 'free',
      access: 'metrics',
      answer: { description: 'Metrics in the Prometheus text format', type: METRICS_TYPE },
      handle: () => metrics.text(),
    }),
  ]
}
