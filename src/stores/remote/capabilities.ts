import type { Metric } from '../../contract/retrieval.ts'
import type { SeparateEngine } from '../../contract/vector-engine.ts'

/** What the engines in other servers can do. Known before their modules are loaded. */
const ENGINES = {
  chroma: { keywords: false, filters: false },
  pinecone: { keywords: false, filters: true },
  qdrant: { keywords: false, filters: true },
  searchServer: { keywords: true, filters: true },
}

/** The capabilities of an engine. @param metric the one that its collections are made with */
export const remoteCapabilities = (
  engine: keyof typeof ENGINES,
  metric: Metric,
): SeparateEngine['capabilities'] => ({
  ...ENGINES[engine],
  metrics: [metric],
  ranksEarly: false,
  commitsWithLedger: false,
})
