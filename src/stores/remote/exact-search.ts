import type { Metric } from '../../contract/retrieval.ts'
import type { EngineCandidate, SeparateEngine } from '../../contract/vector-engine.ts'
import { closeness } from '../../vector/metric.ts'

type Search = SeparateEngine['search']

/** How many of the nearest by whole numbers are compared by their exact vectors. */
const COMPARED = 100

/** A search of rounded vectors whose first hits are compared again by the exact ones, which they bring. */
export const exactSearch =
  (search: Search, metric: Metric): Search =>
  async (collection, request) => {
    const { vector, vectors = false, limit } = request
    if (!vector) return search(collection, request)
    const asked = { ...request, limit: Math.max(limit, COMPARED), vectors: true }
    const found = (await search(collection, asked)).map(
      ({ vector: own, ...candidate }): EngineCandidate => ({
        ...candidate,
        // What only the words have found has no score by vector.
        vectorScore:
          own && candidate.vectorScore !== null ? closeness(metric, vector, own) : candidate.vectorScore,
        ...(vectors && own ? { vector: own } : {}),
      }),
    )
    const best = (side: 'vectorScore' | 'keywordScore') =>
      found
        .filter((one) => one[side] !== null)
        .sort((one, other) => other[side]! - one[side]!)
        .slice(0, limit)
    return [...new Set([...best('vectorScore'), ...best('keywordScore')])]
  }
