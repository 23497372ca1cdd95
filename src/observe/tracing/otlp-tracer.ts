import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, TraceSpan, SpanOptions, Tracer } from '../../kit/tracing.ts'
import type { EndedSpan } from './otlp-json.ts'
import type { Sampler } from './sampler.ts'
import type { SpanExporter } from './span-exporter.ts'
import {
  newSpanId,
  newTraceId,
  readTraceparent,
  type TraceContext,
  writeTraceparent,
} from './trace-context.ts'

/** A tracer that gives its spans to an exporter. The span of the running work is found by its asynchronous context. */
export function createTracer(exporter: SpanExporter, sample: Sampler): Tracer {
  const running = new AsyncLocalStorage<TraceContext>()

  function begin(
    name: string,
    { kind = 'internal', attributes = {}, traceparent }: SpanOptions = {},
  ): TraceSpan {
    const parent = readTraceparent(traceparent) ?? running.getStore()
    const traceId = parent?.traceId ?? newTraceId()
    // Within a process the whole trace is recorded, or nothing of it.
    const sampled = running.getStore() && !traceparent ? parent!.sampled : sample(traceId, parent?.sampled)
    const context: TraceContext = { traceId, spanId: newSpanId(), sampled }
    const startedAt = now()
    const facts: Record<string, Attributes[string]> = { ...attributes }
    let open = true
    return {
      traceparent: writeTraceparent(context),
      set(more) {
        if (open) Object.assign(facts, more)
      },
      end(failure) {
        if (!open) return
        open = false
        if (!sampled) return
        const ended: EndedSpan = {
          context,
          parentId: parent?.spanId,
          name,
          kind,
          startedAt,
          endedAt: now(),
          attributes: failure === undefined ? facts : { ...facts, 'error.type': failure },
          failure,
        }
        exporter.add(ended)
      },
      within: (work) => running.run(context, work),
    }
  }

  const current = () => {
    const context = running.getStore()
    return context && writeTraceparent(context)
  }

  return { begin, current, close: () => exporter.close() }
}

/** Nanoseconds since 1970, by a clock that does not go back while the process runs. */
const now = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n
