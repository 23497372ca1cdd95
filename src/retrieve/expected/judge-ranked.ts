import type { ExpectedStep, LimitedStep } from '../../contract/expected.ts'
import type { Candidate, Ranked } from '../../contract/search.ts'
import { closestAmong, ROUNDING } from '../../vector/diversity.ts'
import { consideredCount, vectorOf } from '../answer.ts'
import { RESCORED } from '../rescoring/rescoring-weights.ts'
import type { ChosenCandidate, Trace } from '../trace.ts'
import type { ChunkOutcome, Measured } from './outcome.ts'

/** The places of a candidate after each step, from 1; 0 where the step has not left it. */
type Places = {
  combined: number
  ranked: number
  distinct: number
  judged: number
  ordered: number
  chosen: number
}

/**
 * What became of a candidate that was ranked; undefined where it was not. A step that orders candidates has left one out where it was among
 * the first `topK` before that step, and is not after it.
 */
export function judgeRanked(id: string, trace: Trace): ChunkOutcome | undefined {
  const { settings, candidates, rescored, choice } = trace
  const ranked = rescored?.ranked ?? candidates.ranked
  const place = (all: readonly Ranked<Candidate>[]) =>
    all.findIndex(({ candidate }) => candidate.id === id) + 1
  const places: Places = {
    combined: place(candidates.ranked),
    ranked: place(ranked),
    distinct: place(choice.distinct),
    judged: place(choice.judged),
    ordered: place(choice.ordered),
    chosen: place(choice.chosen),
  }
  if (places.combined === 0) return undefined
  const outcome = { id, lastPlace: lastPlaceOf(places, trace) }
  if (places.chosen > 0) return { ...outcome, place: places.chosen, step: null, measured: [] }
  const left = { ...outcome, place: null }
  const one = ranked[places.ranked - 1]!
  const twin = twinOf(one, places, trace)
  if (twin) {
    const measured = [{ what: 'likeness' as const, had: twin.cosine, needed: settings.nearDuplicates! }]
    return { ...left, step: 'nearDuplicate', measured, like: likeOf(twin, trace) }
  }
  const { step, reads } = stepOf(places, trace)
  const closest = step === 'mmr' ? closestAmong(one, choice.chosen, vectorOf) : undefined
  return {
    ...left,
    step,
    measured: measuredOf(step, reads, places, trace),
    ...(reads ? { reads } : {}),
    ...(closest ? { like: likeOf(closest, trace) } : {}),
  }
}

/** The place in the order that decides the answer, as far as the candidate came in it. */
function lastPlaceOf({ ordered, judged, distinct, ranked }: Places, { settings }: Trace): number {
  if (settings.mmr && ordered > 0) return ordered
  if (settings.reranker && judged > 0) return judged
  return distinct || ranked
}

type Close = { candidate: Ranked<Candidate>; cosine: number }

/** The better candidate that it is a near duplicate of, where these drop out. */
function twinOf(
  one: Ranked<Candidate>,
  { ranked: place, distinct }: Places,
  { settings, candidates, rescored, choice }: Trace,
): Close | undefined {
  const threshold = settings.nearDuplicates
  if (threshold === undefined || distinct > 0) return undefined
  const before = new Set(
    (rescored?.ranked ?? candidates.ranked).slice(0, place - 1).map((other) => other.candidate),
  )
  const better = choice.distinct.filter(({ candidate }) => before.has(candidate))
  const closest = closestAmong(one, better, vectorOf)
  return closest && closest.cosine >= threshold - ROUNDING ? closest : undefined
}

function likeOf(
  { candidate: { candidate }, cosine }: Close,
  { choice }: Trace,
): NonNullable<ChunkOutcome['like']> {
  const { source } = candidate.metadata
  const at = choice.chosen.findIndex((hit) => hit.candidate === candidate)
  return {
    ...{ id: candidate.id, source: typeof source === 'string' ? source : null, cosine },
    place: at < 0 ? null : at + 1,
  }
}

function stepOf(
  { combined, ranked, distinct, judged }: Places,
  { settings, rescored }: Trace,
): { step: ExpectedStep; reads?: { step: LimitedStep; most: number } } {
  const { topK, mmr, reranker } = settings
  const pool = (step: LimitedStep, most: number) => ({ step: 'pool' as const, reads: { step, most } })
  const chosenFrom = mmr ? Math.max(topK, mmr.fetchK) : topK
  if (reranker) {
    const most = consideredCount(settings)
    if (distinct === 0 || distinct > most) return pool('reranker', most)
    if (judged === 0) return { step: 'reranker' }
  }
  const place = judged || distinct || ranked
  if (mmr && place <= topK) return { step: 'mmr' }
  if (reranker && distinct <= topK) return { step: 'reranker' }
  if (rescored && combined <= topK) return { step: 'rescoring' }
  if (rescored && combined > RESCORED && topK <= RESCORED) return pool('rescoring', RESCORED)
  if (mmr && place > chosenFrom) return pool('mmr', chosenFrom)
  return { step: 'topK' }
}

function measuredOf(
  step: ExpectedStep,
  reads: ChunkOutcome['reads'],
  { combined, ranked, distinct, judged }: Places,
  trace: Trace,
): Measured[] {
  const { settings, candidates, rescored, choice } = trace
  const { topK, mmr } = settings
  const order = rescored?.ranked ?? candidates.ranked
  const place = distinct || ranked
  const score = { what: 'score' as const, had: order[ranked - 1]!.score }
  const last = choice.chosen.at(-1)
  const before = rescored ? [{ what: 'combinedPlace' as const, had: combined, needed: topK }] : []
  switch (step) {
    case 'pool': {
      if (reads!.step === 'mmr') return [{ what: 'place', had: judged || place, needed: reads!.most }]
      if (reads!.step === 'reranker')
        return [
          { what: rescored ? 'rescoredPlace' : 'combinedPlace', had: place, needed: reads!.most },
          { ...score, needed: choice.distinct[reads!.most - 1]?.score ?? null },
        ]
      return [
        { what: 'combinedPlace', had: combined, needed: reads!.most },
        {
          what: 'score',
          had: candidates.ranked[combined - 1]!.score,
          needed: candidates.ranked[reads!.most - 1]?.score ?? null,
        },
      ]
    }
    case 'rescoring':
      return [
        ...before,
        { what: 'rescoredPlace', had: ranked, needed: topK },
        { ...score, needed: rankedScoreOf(last, trace) },
      ]
    case 'reranker':
      return [
        { what: rescored ? 'rescoredPlace' : 'combinedPlace', had: distinct, needed: topK },
        { what: 'rerankedPlace', had: judged || null, needed: topK },
        {
          what: 'rerank',
          had: choice.judged[judged - 1]?.rerank?.score ?? null,
          needed: choice.judged[topK - 1]?.rerank?.score ?? null,
        },
      ]
    case 'mmr': {
      const { lambda } = mmr!
      const best = choice.judged.reduce((most, one) => Math.max(most, one.score), 0) || 1
      const one = choice.judged[judged - 1]!
      const cosine = closestAmong(one, choice.chosen, vectorOf)?.cosine ?? 0
      const gain = (relevance: number, likeness: number) => lambda * relevance - (1 - lambda) * likeness
      const needed = last?.diversity
      return [
        { what: 'place', had: judged, needed: topK },
        {
          what: 'gain',
          had: gain(one.score / best, cosine),
          needed: needed ? gain(needed.relevance, needed.closest?.cosine ?? 0) : null,
        },
      ]
    }
    default:
      if (settings.reranker)
        return [
          { what: 'rerankedPlace', had: judged || null, needed: topK },
          {
            what: 'rerank',
            had: choice.judged[judged - 1]?.rerank?.score ?? null,
            needed: choice.judged[topK - 1]?.rerank?.score ?? null,
          },
        ]
      return [
        { what: 'place', had: judged || place, needed: topK },
        { ...score, needed: rankedScoreOf(mmr ? choice.judged[topK - 1] : last, trace) },
      ]
  }
}

/** The score that a hit was ranked by, before a reranker. */
function rankedScoreOf(hit: ChosenCandidate | undefined, { candidates, rescored }: Trace): number | null {
  if (!hit) return null
  const order = rescored?.ranked ?? candidates.ranked
  return order.find(({ candidate }) => candidate === hit.candidate)?.score ?? null
}
