import type { Attributes, SpanKind } from '../../kit/tracing.ts'
import type { TraceContext } from './trace-context.ts'

/** A span that has ended. Times are in nanoseconds since 1970. */
export type EndedSpan = {
  context: TraceContext
  parentId: string | undefined
  name: string
  kind: SpanKind
  startedAt: bigint
  endedAt: bigint
  attributes: Attributes
  /** The code of what went wrong. */
  failure: string | undefined
}

/** The numbers of OTLP for the kinds of span, and for the status of a failure. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 }
const FAILED = 2

/** Spans as a request of the OpenTelemetry protocol in JSON (OTLP 1.x, `ExportTraceServiceRequest`). */
export const otlpJson = (spans: readonly EndedSpan[], resource: Attributes, version: string): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: listOf(resource) },
        scopeSpans: [{ scope: { name: 'sluice', version }, spans: spans.map(spanOf) }],
      },
    ],
  })

const spanOf = ({ context, parentId, name, kind, startedAt, endedAt, attributes, failure }: EndedSpan) => ({
  traceId: context.traceId,
  spanId: context.spanId,
  ...(parentId === undefined ? {} : { parentSpanId: parentId }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: String(startedAt),
  endTimeUnixNano: String(endedAt),
  attributes: listOf(attributes),
  status: failure === undefined ? {} : { code: FAILED, message: failure },
})

const listOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  )

/** Whole numbers are texts in the JSON of Protocol Buffers. */
function otlpValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
