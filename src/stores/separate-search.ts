import type { Candidate, SearchRequest, SideScores } from '../contract/search.ts'
import type { Ledger, LedgerIndex } from '../contract/ledger.ts'
import type { SearchConditions } from '../contract/ledger-points.ts'
import type { Metric } from '../contract/retrieval.ts'
import type {
  EngineCandidate,
  EngineRequest,
  JoinedEngine,
  SeparateEngine,
} from '../contract/vector-engine.ts'
import { SluiceError } from '../kit/errors.ts'
import { closeness } from '../vector/metric.ts'
import { explained, requireCollection } from './require-collection.ts'

/** By how much a search is widened when too many of its candidates are invisible. */
const WIDENING = 4

const READS = { writes: false }

/** Where no engine is asked: all that is found is of the moment at which it is read. */
const NO_CONDITIONS: SearchConditions = { filter: undefined, withoutRuns: [], newestRun: Infinity }

/** `words`: searches by keyword in place of the engine. */
type Searched = { ledger: Ledger; engine: SeparateEngine; words?: JoinedEngine | undefined }

/**
 * The visible candidates of a separate engine. It leaves out what runs have written that are not published; it also finds points of
 * removed chunks, and without `filters` those that do not meet the filter. The ledger drops them, and the search is widened until each side has
 * enough or the engine has no more. What the ledger drops may also have been replaced since the search: then it is done again,
 * until two searches find the same. So it is where it found a chunk of a run that began meanwhile: an engine of several shards may
 * have shown a part of that run only.
 *
 * @returns undefined where the index is not the one that readers see any more
 * @throws SluiceError `query_invalid` for a metric that the engine does not have, `collection_unusable`
 */
export async function searchSeparately(
  { ledger, engine, words }: Searched,
  index: LedgerIndex,
  request: SearchRequest,
): Promise<Candidate[] | undefined> {
  const { collection } = index
  const { vector, text, limit, filter, chatId, vectors } = request
  const { keywords, filters } = engine.capabilities
  const audience = { filter, chatId }
  const metric = knownMetric(engine, request.metric)
  const ownText = keywords ? text : undefined
  const asksEngine = vector !== undefined || ownText !== undefined
  let before: Set<string> | undefined
  for (let wide = limit; ; ) {
    const byWords = text === undefined || !words ? [] : await searchWords(words, collection, request)
    if (!byWords) return undefined
    const conditions = asksEngine ? await ledger.conditionsFor(collection, audience) : NO_CONDITIONS
    const searched: EngineRequest = {
      metric,
      limit: wide,
      visible: index.chunks,
      ...(vector ? { vector } : {}),
      ...(ownText === undefined ? {} : { text: ownText }),
      ...(filters && conditions.filter ? { filter: conditions.filter } : {}),
      ...(conditions.withoutRuns.length > 0 ? { withoutRuns: conditions.withoutRuns } : {}),
      ...(vectors ? { vectors } : {}),
    }
    const found = asksEngine
      ? await explained(engine, index, READS, () => engine.search(collection, searched))
      : []
    // Both sides are of this one moment: a publication since the search by words has removed some of its hits.
    const ids = new Set([...found, ...byWords].map(({ id }) => id))
    const read = await ledger.read(collection, [...ids], audience)
    if (!read) return undefined
    const { documents, newestRun } = read
    if (newestRun > conditions.newestRun) continue
    // The chunks of a run that was published since are visible, and those that it replaced are not in the engine any more.
    const { withoutRuns: left } = conditions
    const isPublished = left.length > 0 && (await publishedSince(ledger, collection, left))
    if (isPublished) continue
    // A collection that is gone has nothing either.
    if (asksEngine && found.length === 0) await requireCollection(engine, index, READS)
    const isDropped = documents.size < ids.size
    const isStable = before !== undefined && before.size === ids.size && ids.isSubsetOf(before)
    before = ids
    if (isDropped && !isStable) continue
    const visible = found.flatMap((candidate) => {
      const document = documents.get(candidate.id)
      return document ? { ...candidate, ...document } : []
    })
    const enough = SIDES.every(
      (side) => bestOf(visible, side, limit).length >= limit || bestOf(found, side, wide).length < wide,
    )
    if (!enough) {
      wide *= WIDENING
      before = undefined
      continue
    }
    const best = trimmed(visible, limit)
    if (byWords.length === 0) return best
    const seen = byWords.filter(({ id }) => documents.has(id))
    return withVectors(engine, collection, { ...request, metric }, joined(best, seen))
  }
}

/** Whether a search has left out a run that is no longer to be left out. */
async function publishedSince(ledger: Ledger, collection: string, left: readonly number[]): Promise<boolean> {
  const { withoutRuns } = await ledger.conditionsFor(collection, {})
  return left.some((run) => !withoutRuns.includes(run))
}

function knownMetric({ capabilities: { metrics } }: SeparateEngine, asked: Metric | undefined): Metric {
  const known = metrics.find((one) => one === (asked ?? metrics[0]))
  if (known === undefined)
    throw new SluiceError('query_invalid', { reason: `the vector store has no metric ${asked}` })
  return known
}

/** What has the words of the question, best first. */
function searchWords(words: JoinedEngine, collection: string, request: SearchRequest) {
  const { text, limit, filter, chatId, spelling } = request
  return words.search(collection, {
    limit,
    ...(text === undefined ? {} : { text }),
    ...(filter ? { filter } : {}),
    ...(chatId === undefined ? {} : { chatId }),
    ...(spelling === undefined ? {} : { spelling }),
  })
}

/** The candidates of both sides, each once. */
function joined(near: readonly Candidate[], byWords: readonly Candidate[]): Candidate[] {
  const all = new Map(near.map((candidate) => [candidate.id, candidate]))
  for (const candidate of byWords) {
    const { id, keywordScore, matched } = candidate
    all.set(id, { ...(all.get(id) ?? candidate), keywordScore, matched })
  }
  return [...all.values()]
}

/** Gives the candidates that only the words have found their vector score too, as the built-in engine does. */
async function withVectors(
  engine: SeparateEngine,
  collection: string,
  { vector, vectors, metric }: SearchRequest & { metric: Metric },
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const lacking = candidates.filter(({ vectorScore, vector: own }) =>
    vectors ? own === undefined : vectorScore === null,
  )
  if (lacking.length === 0 || !(vector || vectors)) return [...candidates]
  const read = await engine.vectors(
    collection,
    lacking.map(({ id }) => id),
  )
  return candidates.map((candidate) => {
    const own = read.get(candidate.id)
    if (!own) return candidate
    const vectorScore = vector ? closeness(metric, vector, own) : candidate.vectorScore
    return { ...candidate, vectorScore, ...(vectors ? { vector: own } : {}) }
  })
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
