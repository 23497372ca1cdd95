import type { Config } from '../../kit/config.ts'
import { createEgress } from '../../kit/egress/client.ts'
import { createEgressRules } from '../../kit/egress/rules.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'
import type { Attributes, Tracer } from '../../kit/tracing.ts'
import { otlpJson } from './otlp-json.ts'
import { createTracer } from './otlp-tracer.ts'
import { createSampler } from './sampler.ts'
import { createSpanExporter } from './span-exporter.ts'

/** How long the collector may take, in milliseconds. */
const TIMEOUT_MS = 10_000

/**
 * A tracer that sends spans to the collector in the settings. The owner of the server chose its address, so it may be
 * private.
 *
 * @throws SluiceError `config_invalid`, naming the setting
 */
export function openTracer(config: Config, version: string, log: Log): Tracer {
  const url = tracesUrl(config)
  const egress = createEgress({
    rules: createEgressRules({ allow: [url.host], deny: config.EGRESS_DENY }),
    limits: { headersMs: TIMEOUT_MS, idleMs: TIMEOUT_MS, redirects: 0 },
  })
  const resource: Attributes = {
    'service.version': version,
    ...readPairs('OTEL_RESOURCE_ATTRIBUTES', config.OTEL_RESOURCE_ATTRIBUTES),
    'service.name': config.OTEL_SERVICE_NAME,
  }
  const exporter = createSpanExporter({
    url: url.href,
    headers: readPairs('OTEL_EXPORTER_OTLP_HEADERS', config.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    fetch: egress.fetch,
    write: (spans) => otlpJson(spans, resource, version),
    log,
    everyMs: config.OTEL_BSP_SCHEDULE_DELAY,
  })
  const sampler = createSampler(config.OTEL_TRACES_SAMPLER, config.OTEL_TRACES_SAMPLER_ARG)
  const { begin, current, close } = createTracer(exporter, sampler)
  return {
    begin,
    current,
    async close() {
      await close()
      await egress.close()
    },
  }
}

/** The address for traces is used as it is; to the one for all signals the path is added. */
function tracesUrl(config: Config): URL {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: all } = config
  const name = own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  const text = own ?? `${(all ?? '').replace(/\/+$/, '')}/v1/traces`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new SluiceError('config_invalid', {
    name,
    reason: 'it is no address that begins with http:// or https://',
  })
}

/** Reads `name=value,name=value` with percent-encoded values. */
function readPairs(name: string, text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      if (pair.trim() === '') return []
      const at = pair.indexOf('=')
      try {
        if (at > 0) return [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]]
      } catch {
        // Reported below; the value may be a secret.
      }
      throw new SluiceError('config_invalid', {
        name,
        reason: 'it is no list of name=value with commas between and percent-encoded values',
      })
    }),
  )
}
