import { METRICS, type Metric } from '../../contract/retrieval.ts'
import type { SeparateEngine } from '../../contract/vector-engine.ts'

/** @param metric the one that graphs are built for */
export const pgVectorCapabilities = (metric: Metric): SeparateEngine['capabilities'] => ({
  keywords: false,
  metrics: [metric, ...METRICS.filter((one) => one !== metric)],
  filters: true,
  ranksEarly: false,
  commitsWithLedger: false,
})
