import type { StorePart } from '../contract/card.ts'
import type { Candidate } from '../contract/search.ts'
import { MODES, type Mode, type Ranking } from '../contract/retrieval.ts'
import { basisOf } from '../retrieve/confidence.ts'
import { rankCandidates, candidatesPerSide } from '../vector/fusion.ts'
import { embedQuestions } from '../retrieve/embed-questions.ts'
import { earlierQuestions } from '../retrieve/history.ts'
import { rescoreCandidates } from '../retrieve/rescoring/rescore-candidates.ts'
import { RESCORED } from '../retrieve/rescoring/rescoring-weights.ts'
import { type QuerySettings, weightFor } from '../retrieve/settings.ts'
import { bothCases, measureConfidence } from './answerable.ts'
import type { Collection } from './collection.ts'
import { type Quality, QualityMeter } from './measures.ts'
import { type Reliability, ReliabilityMeter } from './reliability.ts'

/** The quality of the answers by mode, and of the hybrid mode by weight. */
export type RankingQuality = {
  modes: Record<Mode, Quality>
  /** Of the hybrid mode without rescoring; undefined where the settings do not rescore. */
  withoutRescoring: Quality | undefined
  /** How well the confidence matches the share of right answers; undefined where there is no confidence. */
  reliability: Record<Mode, Reliability | undefined>
  weights: { weight: number; ndcg10: number }[]
}

/** How many chunks of a ranking are judged: as many as the deepest measure needs. */
const DEPTH = 100
const WEIGHTS = Array.from({ length: 21 }, (_, step) => step / 20)

/** Searches once for each query, and measures every ranking of the candidates. */
export async function measureRankings(
  { store, embedder }: StorePart,
  queries: Collection['queries'],
  settings: Pick<QuerySettings, 'fusion' | 'weight' | 'isDefaultWeight' | 'metric' | 'spelling' | 'rescore'>,
  { signal, onQuery }: { signal: AbortSignal; onQuery(done: number): void },
): Promise<RankingQuality> {
  const byMode = { hybrid: new QualityMeter(), vector: new QualityMeter(), keyword: new QualityMeter() }
  const trust = {
    hybrid: new ReliabilityMeter(),
    vector: new ReliabilityMeter(),
    keyword: new ReliabilityMeter(),
  }
  const byWeight = WEIGHTS.map((weight) => ({ weight, meter: new QualityMeter() }))
  const unrescored = new QualityMeter()
  const { fusion, metric, spelling, rescore } = settings
  for (const [done, { text, judged, history }] of queries.entries()) {
    signal.throwIfAborted()
    onQuery(done)
    const weight = weightFor(settings, embedder, text)
    const hybrid: Ranking = { mode: 'hybrid', fusion, weight }
    const earlier = earlierQuestions(history)
    const [vector] = await embedQuestions(embedder, { questions: [text], earlier }, signal)
    const request = {
      ...{ vector: vector!, text, metric, spelling, limit: candidatesPerSide(DEPTH) },
      ...(earlier ? { earlier: earlier.terms } : {}),
    }
    const found = rescore
      ? await store.searchRanked?.({ ...request, withHeads: RESCORED }, hybrid)
      : undefined
    const candidates = found?.ranked.map(({ candidate }) => candidate) ?? (await store.search(request))
    const ranked = (ranking: Ranking) => documentsOf(rankCandidates(candidates, ranking))
    for (const mode of ['vector', 'keyword'] as const)
      byMode[mode].add(ranked({ mode, fusion, weight }), judged)
    const asked = { question: text, vector: vector!, ranking: hybrid, embedder }
    const rescored = found && (await rescoreCandidates(found, asked, signal)).ranked
    byMode.hybrid.add(rescored ? documentsOf(rescored) : ranked(hybrid), judged)
    if (rescored) unrescored.add(ranked(hybrid), judged)
    for (const one of bothCases(text, candidates, judged)) {
      const isFound = new Set(one.found)
      for (const mode of MODES) {
        const order = rankCandidates(one.found, { mode, fusion, weight })
        const hits =
          (mode === 'hybrid' && rescored?.filter(({ candidate }) => isFound.has(candidate))) || order
        // As in an answer: it was fitted on questions that stand alone.
        const basis = earlier ? undefined : basisOf({ mode, metric }, embedder.id)
        measureConfidence(trust[mode], one, { ranked: order, hits }, basis)
      }
    }
    for (const { weight, meter } of byWeight)
      meter.add(ranked({ mode: 'hybrid', fusion: 'convex', weight }), judged)
  }
  return {
    modes: {
      hybrid: byMode.hybrid.mean(),
      vector: byMode.vector.mean(),
      keyword: byMode.keyword.mean(),
    },
    withoutRescoring: rescore ? unrescored.mean() : undefined,
    reliability: {
      hybrid: trust.hybrid.result(),
      vector: trust.vector.result(),
      keyword: trust.keyword.result(),
    },
    weights: byWeight.map(({ weight, meter }) => ({ weight, ndcg10: meter.mean().ndcg10 })),
  }
}

/** The documents of a ranking's first chunks, each at the place of its best chunk. */
function documentsOf(ranked: readonly { candidate: Candidate }[]): string[] {
  const ids = ranked.slice(0, DEPTH).map(({ candidate }) => String(candidate.metadata.source))
  return [...new Set(ids)]
}

/** The best weight; of several, the one closest to `current`. */
export function bestWeightOf(weights: RankingQuality['weights'], current: number): number {
  const best = Math.max(...weights.map(({ ndcg10 }) => ndcg10))
  return weights
    .filter(({ ndcg10 }) => ndcg10 === best)
    .map(({ weight }) => weight)
    .reduce((one, other) => (Math.abs(other - current) < Math.abs(one - current) ? other : one))
}
