import type {
  Candidate,
  Ranked,
  SearchRequest,
  SideScores,
  SpellingReading,
  TermFacts,
} from '../../contract/search.ts'
import { CHAT_ID_KEY, conversationFilter } from '../../documents/conversation.ts'
import type { Metadata } from '../../contract/document.ts'
import { chunkIdOf } from '../../documents/chunk-id.ts'
import { METRICS, type Ranking } from '../../contract/retrieval.ts'
import type { JoinedEngine } from '../../contract/vector-engine.ts'
import {
  chunksOfPassages,
  countVisible,
  hasConversations,
  isLive,
  vectorsOf,
  visibleAmong,
} from '../../db/sqlite/chunks.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import type { Database } from '../../db/sqlite/database.ts'
import type { HiddenIds } from '../../db/sqlite/hidden-passages.ts'
import { termWeights } from '../../db/sqlite/term-weights.ts'
import { placesOf } from '../../db/sqlite/text-places.ts'
import { type KeywordHit, searchCounted, termFactsOf } from '../../db/sqlite/text-search.ts'
import type { Ids } from '../../kit/id-set.ts'
import { MOST_TIES } from '../../keyword/top-passages.ts'
import { matches } from '../../vector/matches.ts'
import { type Hit, candidatesFor } from '../../vector/image.ts'
import { cutTies } from '../../vector/tie-order.ts'
import { createImages, type Images, type ImagesOptions } from './images.ts'
import type { SearchImage } from './passage-copies.ts'
import { scoreSides } from './side-scores.ts'
import { shownPassage } from '../../documents/passage.ts'
import { SourceHeads } from './source-heads.ts'
import { searchedTerms } from './spelling.ts'

/** Stored with every index that has its points here. */
export const BUILT_IN = 'built-in'

/**
 * The vector engine in the database of the ledger: vectors and terms are rows beside the chunks, written in the same
 * transactions; searches scan images in memory that follow each publication.
 */
export function builtInEngine(database: Database, options?: ImagesOptions): JoinedEngine {
  const { reader } = database
  const images = createImages(database, options)
  const memory = { reader, images, heads: new SourceHeads(reader) }
  return {
    name: BUILT_IN,
    capabilities: {
      keywords: true,
      metrics: METRICS,
      filters: true,
      ranksEarly: true,
      spelling: true,
      commitsWithLedger: true,
    },

    async search(collection, request) {
      return (await searchBuiltIn(memory, Number(collection), request))?.candidates
    },

    async searchRanked(collection, request, ranking) {
      const answer = await searchBuiltIn(memory, Number(collection), request, ranking)
      if (!answer) return undefined
      const { candidates, scored, ...rest } = answer
      return { ranked: candidates.map((candidate, at) => ({ candidate, ...scored[at]! })), ...rest }
    },

    async termFacts(collection, request) {
      const indexId = Number(collection)
      const hidden = await images.hidden(indexId)
      return reader.snapshot(() =>
        isLive(reader, indexId)
          ? termFactsOf(searchedTerms(reader, indexId, request, hidden).counted)
          : undefined,
      )
    },

    async absentFields(collection, filter) {
      const image = await images.metadata(Number(collection), filter)
      // The answer must not show whether there are conversations of others.
      return image.absent(filter).filter((field) => field !== CHAT_ID_KEY)
    },

    follow: (collection) => images.follow(Number(collection)),
    prepare: (collection) => images.prepare(Number(collection)),

    async drop(collection) {
      images.drop(Number(collection))
    },

    memory: images.memory,
    sweep: () => images.sweep(),
    close: () => images.close(),
  }
}

/** How often threads scan a large image. After that the scan runs in the snapshot, where no publication can change the image. */
const THREADED_ATTEMPTS = 3

/** The database, and what is kept in memory of its indexes. */
type SearchMemory = { reader: Connection; images: Images; heads: SourceHeads }

/** What one attempt found: visible candidates in order, and the scores of all. */
type Found = {
  candidates: Candidate[]
  scored: Omit<Ranked<never>, 'candidate'>[]
  found: readonly SideScores[]
  termWeights?: ReadonlyMap<number, number>
  termFacts?: TermFacts
  readings?: SpellingReading[]
}

/**
 * The visible candidates of both sides, all of one moment of the database. The images in memory are brought up to that
 * moment and scanned first; the rest is read in one snapshot. Where a run is published in between, it is done again.
 *
 * @param ranking orders the candidates and drops some of them before their texts are read
 * @returns undefined where the index is not the one that readers see any more
 */
async function searchBuiltIn(
  memory: SearchMemory,
  indexId: number,
  request: SearchRequest,
  ranking?: Ranking,
): Promise<Found | undefined> {
  for (let attempt = 0; ; attempt++) {
    const found = await trySearch(memory, indexId, request, { attempt, ranking })
    if (found !== 'again') return found
  }
}

async function trySearch(
  memory: SearchMemory,
  indexId: number,
  asked: SearchRequest,
  { attempt, ranking }: { attempt: number; ranking: Ranking | undefined },
): Promise<Found | undefined | 'again'> {
  const { reader, images } = memory
  const withConversations = hasConversations(reader, indexId)
  const request = withConversations ? { ...asked, filter: conversationFilter(asked) } : asked
  const { vector, filter, limit, metric = 'cosine' } = request
  using lent = vector && (await images.vectors(indexId))
  const image = lent?.image
  const metadata = filter && (await images.metadata(indexId, filter))
  const hidden = request.text === undefined ? undefined : await images.hidden(indexId)
  const runs = [image?.run, metadata?.run, hidden?.run]
  const allowed = filter && metadata?.allowed(filter)
  const options = { k: candidatesFor(limit), metric, ...(allowed ? { allow: allowed } : {}) }
  const threaded =
    vector && attempt < THREADED_ATTEMPTS ? await image?.nearestAside(vector, options) : undefined
  return reader.snapshot(() => {
    if (!isLive(reader, indexId)) return undefined
    // An image of an index that was emptied never becomes current.
    const visible = countVisible(reader, indexId)
    if (visible === 0) return NOTHING
    // The first chunks of a conversation were published meanwhile.
    if (hasConversations(reader, indexId) && !withConversations) return 'again'
    if ([image, metadata, hidden].some((copy, at) => copy && !copy.shows(runs[at]))) return 'again'
    const near = threaded ?? (vector && image?.nearest(vector, options)) ?? []
    return readCandidates(memory, indexId, request, { near, allowed, image, hidden, ranking, visible })
  })
}

const NOTHING: Found = { candidates: [], scored: [], found: [] }

/**
 * `near`: passages close to the vector, more than the limit. `allowed`: those with a chunk that meets the filter. `image`
 * and `hidden`: at the run of the snapshot. Without a text, nothing is hidden.
 */
type InMemory = {
  near: Hit[]
  allowed: Ids | undefined
  image: SearchImage | undefined
  hidden: HiddenIds | undefined
  ranking: Ranking | undefined
  /** How many chunks readers see. */
  visible: number
}

function readCandidates(
  { reader, heads }: SearchMemory,
  indexId: number,
  request: SearchRequest,
  { near, allowed, image, hidden, ranking, visible }: InMemory,
): Found {
  const { text, limit, filter, withHeads = 0 } = request
  if (allowed?.size === 0) return NOTHING
  const { counted, terms, readings, misread } = searchedTerms(reader, indexId, request, hidden)
  const visibleOf = (ids: readonly number[]) => allowed ?? image ?? visibleAmong(reader, ids)
  const places = (ids: readonly number[]) => placesOf(reader, ids)
  const hits = takeVisible(searchCounted(counted, allowed), limit, visibleOf)
  // A ranking of one side decides between equal scores itself, of fewer hits.
  const keyword =
    near.length === 0 && (ranking?.limit ?? Infinity) <= limit ? hits : cutTies(hits, limit, places)
  const read = (ids: readonly number[]) => vectorsOf(reader, ids)
  const { found, ranked, vectors } = scoreSides(request, { near, keyword }, { image, ranking, read, places })
  const chunks = Map.groupBy(
    chunksOfPassages(
      reader,
      ranked.map(({ candidate }) => candidate.id),
    ),
    ({ passageId }) => passageId,
  )

  const candidates: Candidate[] = []
  const scored: Found['scored'] = []
  const sourceIds: number[] = []
  for (const { candidate, score, ranks } of ranked) {
    const { id, vectorScore, keywordScore, matched } = candidate
    for (const chunk of chunks.get(id) ?? []) {
      const metadata = JSON.parse(chunk.metadata) as Metadata
      // Two chunks may share a text and differ in the metadata that the filter compares.
      if (filter && !matches(filter, metadata)) continue
      const own = request.vectors ? vectors.get(id) : undefined
      candidates.push({
        id: chunkIdOf(chunk),
        ...shownPassage(chunk.content),
        metadata,
        ...{ vectorScore, keywordScore, matched },
        ...(own ? { vector: own } : {}),
      })
      scored.push({ score, ...(ranks ? { ranks } : {}) })
      sourceIds.push(chunk.sourceId)
    }
  }
  const answer = {
    ...{ candidates, scored, found },
    ...(readings.length > 0 ? { readings } : {}),
    ...(ranking?.explain && text !== undefined ? { termFacts: termFactsOf(counted) } : {}),
  }
  if (text === undefined || withHeads === 0) return answer
  const ofSources = heads.of(indexId, sourceIds.slice(0, withHeads))
  for (const [at, candidate] of candidates.slice(0, withHeads).entries()) {
    const head = ofSources.get(sourceIds[at]!)
    if (head !== undefined) candidate.head = head
  }
  const meant = new Map([...terms].filter(([term]) => !misread.has(term)))
  return { ...answer, termWeights: termWeights(meant, counted.holders, visible) }
}

/**
 * The best `limit` visible hits, and at most `MOST_TIES` more that have the score of the last one. Where more have it, which of
 * these are found depends on the order in which they were stored.
 */
function takeVisible(
  hits: Iterator<KeywordHit>,
  limit: number,
  visibleOf: (ids: readonly number[]) => { has(id: number): boolean },
): KeywordHit[] {
  const kept: KeywordHit[] = []
  for (let more = true; more && kept.length < limit; ) {
    const batch = take(hits, limit - kept.length)
    more = batch.length === limit - kept.length
    const visible = visibleOf(batch.map(({ id }) => id))
    kept.push(...batch.filter(({ id }) => visible.has(id)))
  }
  const last = kept[limit - 1]?.score
  if (last === undefined) return kept
  const ties: KeywordHit[] = []
  while (ties.length < MOST_TIES) {
    const next = hits.next()
    if (next.done || next.value.score !== last) break
    ties.push(next.value)
  }
  if (ties.length === 0) return kept
  const visible = visibleOf(ties.map(({ id }) => id))
  return [...kept, ...ties.filter(({ id }) => visible.has(id))]
}

/** The next `count`, or fewer where there are no more. */
function take<Item>(items: Iterator<Item>, count: number): Item[] {
  const taken: Item[] = []
  while (taken.length < count) {
    const next = items.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}
