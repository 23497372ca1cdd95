import type { Config } from '../../kit/config.ts'
import type { Log } from '../../kit/log.ts'
import { noTracer, type Tracer } from '../../kit/tracing.ts'

/** The tracer of the settings. It traces nothing, and loads nothing, unless they name a collector. @throws as `openTracer` */
export async function tracerOf(config: Config, version: string, log: Log): Promise<Tracer> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config
  if (config.OTEL_SDK_DISABLED || (all ?? own) === undefined) return noTracer
  return (await import('./open-tracer.ts')).openTracer(config, version, log)
}
