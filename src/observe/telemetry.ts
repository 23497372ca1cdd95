import type { Tracer } from '../kit/tracing.ts'
import type { PlatformMetrics } from './platform-metrics.ts'

/** What measured work is counted and traced with. */
export type Telemetry = { metrics: PlatformMetrics; tracer: Tracer }
