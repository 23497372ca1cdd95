import type { Metric, Ranking } from '../../contract/retrieval.ts'
import type { Ranked, SearchRequest, SideScores } from '../../contract/search.ts'
import type { KeywordHit } from '../../db/sqlite/text-search.ts'
import { type Hit, rescore } from '../../vector/image.ts'
import { closeness } from '../../vector/metric.ts'
import { rankCandidates } from '../../vector/fusion.ts'
import { cutTies, type Places, inTieOrder } from '../../vector/tie-order.ts'
import type { SearchImage } from './passage-copies.ts'

/** The scores of a passage by its id. */
export type ScoredPassage = SideScores & { id: number }

/** What both sides found; `near` is more than the limit, by the codes of the vectors. */
export type Sides = { near: readonly Hit[]; keyword: readonly KeywordHit[] }

/** Reads the vectors of some passages. */
type ReadVectors = (passageIds: readonly number[]) => Map<number, Float32Array>

type Scored = {
  /** All that was found. */
  found: ScoredPassage[]
  /** What the ranking keeps, in its order; all in the order in which they were found where there is no ranking. */
  ranked: Ranked<ScoredPassage>[]
  /** Those that were read. */
  vectors: ReadonlyMap<number, Float32Array>
}

/**
 * A cosine by the codes of an image is off by up to a hundredth, and so is the one it is compared with. Twice as much is
 * allowed, for vectors with a few very large numbers.
 */
const COSINE_MARGIN = 0.04

/**
 * The scores of both sides, and their order. Reading vectors takes most of the time. Where it makes no difference, the
 * vectors of only those passages are read that the ranking may keep, and the others have the cosine of their codes.
 */
export function scoreSides(
  request: SearchRequest,
  sides: Sides,
  {
    image,
    ranking,
    read,
    places,
  }: {
    image: SearchImage | undefined
    ranking: Ranking | undefined
    read: ReadVectors
    places: Places
  },
): Scored {
  const { vector } = request
  if (image && vector && ranking && isRankedByCodes(request, ranking))
    return scoreByCodes({ ...request, vector }, sides, { image, ranking, read, places })
  const vectors = read(vector || request.vectors ? idsOf([...sides.near, ...sides.keyword]) : [])
  const found = vector
    ? scoreExactly({ ...request, vector }, sides, vectors, places)
    : byKeyword(sides.keyword)
  const ranked = ranking
    ? rankInTieOrder(found, ranking, places)
    : found.map((candidate) => ({ candidate, score: 0 }))
  return { found, ranked, vectors }
}

/**
 * Candidates in the order of a ranking, equal ones by the places of their texts. Where ranks count, equal scores of a side
 * are in that order too.
 */
function rankInTieOrder(
  found: readonly ScoredPassage[],
  { limit, ...ranking }: Ranking,
  places: Places,
): Ranked<ScoredPassage>[] {
  const byRanks = ranking.mode === 'hybrid' && ranking.fusion === 'rrf'
  const inOrder = byRanks
    ? inTieOrder(
        found.map((candidate) => ({ ...candidate, score: 0 })),
        places,
      )
    : found
  const ranked = rankCandidates(inOrder, ranking).map((one) => ({ ...one, id: one.candidate.id }))
  return inTieOrder(ranked, places, limit)
}

/** Whether a candidate's rank depends on no vector but its own, so that those of low candidates are of no use. */
const isRankedByCodes = (
  { metric = 'cosine', vectors, limit }: SearchRequest,
  { mode, fusion, minScore, limit: kept = Infinity }: Ranking,
): boolean =>
  metric === 'cosine' &&
  mode === 'hybrid' &&
  fusion === 'convex' &&
  minScore === undefined &&
  !vectors &&
  kept <= limit

function scoreByCodes(
  { vector, limit }: { vector: Float32Array; limit: number },
  { near, keyword }: Sides,
  {
    image,
    ranking,
    read,
    places,
  }: { image: SearchImage; ranking: Ranking; read: ReadVectors; places: Places },
): Scored {
  const cosines = new Map(near.map(({ id, score }) => [id, score]))
  const others = keyword.filter(({ id }) => !cosines.has(id)).map(({ id }) => id)
  for (const { id, score } of image.cosines(vector, others)) cosines.set(id, score)
  const scored = (first: readonly Hit[]) =>
    candidates(idsOf([...first, ...keyword]), keyword, (id) => cosines.get(id) ?? null)

  const { limit: kept = Infinity, weight } = ranking
  const byCodes = rankCandidates(scored(near), { ...ranking, limit: undefined })
  const least = (byCodes[kept - 1]?.score ?? -Infinity) - weight * COSINE_MARGIN
  const vectors = read(byCodes.filter(({ score }) => score >= least).map(({ candidate }) => candidate.id))
  for (const [id, own] of vectors) {
    const exact = closeness('cosine', vector, own)
    if (exact === null) cosines.delete(id)
    else cosines.set(id, exact)
  }
  const closest = cutTies(
    near.flatMap(({ id }) => (cosines.has(id) ? { id, score: cosines.get(id)! } : [])),
    limit,
    places,
  )
  const found = scored(closest)
  return { found, ranked: rankInTieOrder(found, ranking, places), vectors }
}

function scoreExactly(
  { vector, limit, metric = 'cosine' }: SearchRequest & { vector: Float32Array; metric?: Metric },
  { near, keyword }: Sides,
  vectors: ReadonlyMap<number, Float32Array>,
  places: Places,
): ScoredPassage[] {
  const exact = rescore(vector, idsOf(near), vectors, { k: Infinity, metric })
  const closest = cutTies(exact, limit, places)
  return candidates(idsOf([...closest, ...keyword]), keyword, (id) => {
    const own = vectors.get(id)
    return own ? closeness(metric, vector, own) : null
  })
}

const byKeyword = (keyword: readonly KeywordHit[]): ScoredPassage[] =>
  candidates(idsOf(keyword), keyword, () => null)

function candidates(
  ids: readonly number[],
  keyword: readonly KeywordHit[],
  vectorScoreOf: (id: number) => number | null,
): ScoredPassage[] {
  const hits = new Map(keyword.map((hit) => [hit.id, hit]))
  return ids.map((id) => {
    const hit = hits.get(id)
    return {
      id,
      vectorScore: vectorScoreOf(id),
      keywordScore: hit?.score ?? null,
      matched: hit?.matched ?? null,
    }
  })
}

/** Each id once. */
const idsOf = (hits: readonly { id: number }[]): number[] => [...new Set(hits.map(({ id }) => id))]
