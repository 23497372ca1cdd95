import type { Candidate, SearchRequest, SideScores } from '../contract/search.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import { SluiceError } from '../kit/errors.ts'
import type { EngineCandidate, SeparateEngine } from '../contract/vector-engine.ts'

/** By how much a search is widened when too many of its candidates are invisible. */
const WIDENING = 4

/**
 * The visible candidates of a separate engine. It also finds points of unpublished and of removed chunks, and without
 * `filters` those that do not meet the filter; the ledger drops them, and the search is widened until each side has
 * enough or the engine has no more.
 *
 * @returns undefined where the index is not the one that readers see any more
 * @throws SluiceError `query_invalid` for a metric that the engine does not have
 */
export async function searchSeparately(
  ledger: Ledger,
  engine: SeparateEngine,
  { collection }: LedgerIndex,
  { vector, text, metric, limit, filter, chatId, vectors }: SearchRequest,
): Promise<Candidate[] | undefined> {
  const { keywords, metrics, filters } = engine.capabilities
  const audience = { filter, chatId }
  const known = metrics.find((one) => one === (metric ?? metrics[0]))
  if (known === undefined)
    throw new SluiceError('query_invalid', { reason: `the vector store has no metric ${metric}` })
  const words = keywords ? text : undefined
  if (!vector && words === undefined) return []
  for (let wide = limit; ; wide *= WIDENING) {
    const condition = filters ? await ledger.filterFor(collection, audience) : undefined
    const found = await engine.search(collection, {
      metric: known,
      limit: wide,
      ...(vector ? { vector } : {}),
      ...(words === undefined ? {} : { text: words }),
      ...(condition ? { filter: condition } : {}),
      ...(vectors ? { vectors } : {}),
    })
    const ids = found.map(({ id }) => id)
    const documents = await ledger.read(collection, ids, audience)
    if (!documents) return undefined
    const visible = found.flatMap((candidate) => {
      const document = documents.get(candidate.id)
      return document ? { ...candidate, ...document } : []
    })
    const enough = SIDES.every(
      (side) => bestOf(visible, side, limit).length >= limit || bestOf(found, side, wide).length < wide,
    )
    if (enough) return trimmed(visible, limit)
  }
}

const SIDES = ['vectorScore', 'keywordScore'] as const satisfies (keyof SideScores)[]

/** The best of one side. */
const bestOf = <Found extends EngineCandidate>(
  found: readonly Found[],
  side: (typeof SIDES)[number],
  limit: number,
): Found[] =>
  found
    .filter((one) => one[side] !== null)
    .sort((one, other) => other[side]! - one[side]!)
    .slice(0, limit)

/** The best `limit` of each side. */
function trimmed(visible: readonly Candidate[], limit: number): Candidate[] {
  return [...new Set(SIDES.flatMap((side) => bestOf(visible, side, limit)))]
}
