import { inSpan } from '../kit/tracing.ts'
import type { Retriever } from '../retrieve/run.ts'
import { codeOf } from './code-of.ts'
import { secondsSince } from './seconds.ts'
import type { Telemetry } from './telemetry.ts'

/** The same retriever, measured. The mode of a search that failed before it was known is `unknown`. */
export const observedRetriever = (retriever: Retriever, { metrics, tracer }: Telemetry): Retriever => ({
  async retrieve(part, queries, asked, signal, report) {
    const startedAt = performance.now()
    let mode: string = asked?.mode ?? 'unknown'
    const span = tracer.begin('search', { attributes: { 'sluice.queries': queries.length } })
    try {
      return await inSpan(span, codeOf, () =>
        retriever.retrieve(part, queries, asked, signal, (made) => {
          mode = made.settings.mode
          for (const [stage, ms] of Object.entries(made.stages)) span.set({ [`sluice.ms.${stage}`]: ms })
          span.set({ 'sluice.mode': mode })
          report?.(made)
        }),
      )
    } finally {
      metrics.queries.observe(secondsSince(startedAt), mode)
    }
  },
})
