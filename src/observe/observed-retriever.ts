import type { Retriever } from '../retrieve/run.ts'
import type { PlatformMetrics } from './platform-metrics.ts'
import { secondsSince } from './seconds.ts'

/** The same retriever, measured. The mode of a search that failed before it was known is `unknown`. */
export const observedRetriever = (retriever: Retriever, metrics: PlatformMetrics): Retriever => ({
  async retrieve(part, queries, asked, signal, report) {
    const startedAt = performance.now()
    let mode: string = asked?.mode ?? 'unknown'
    try {
      return await retriever.retrieve(part, queries, asked, signal, (made) => {
        mode = made.settings.mode
        report?.(made)
      })
    } finally {
      metrics.queries.observe(secondsSince(startedAt), mode)
    }
  },
})
