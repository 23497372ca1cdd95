import { setImmediate } from 'node:timers/promises'
import type { Reranker } from '../contract/reranker.ts'
import { SluiceError } from '../kit/errors.ts'
import { chooseDiverse, type Diversity, withoutNearDuplicates } from '../vector/diversity.ts'
import type { Candidate, Ranked } from '../contract/search.ts'
import type { QuerySettings } from './settings.ts'

/** A chosen candidate. Where there is a reranker: its score, and the place that it gave the candidate, from 1. */
type JudgedCandidate = Ranked<Candidate> & { rerank?: { score: number; place: number } }

/** With MMR: why it was chosen. */
export type ChosenCandidate = JudgedCandidate & { diversity?: Diversity<JudgedCandidate> }

/** How many of the best candidates a reranker reads: each takes time and may cost money. */
const RERANKED = 50

/** With `whole`: among how many candidates near duplicates drop out, which takes time. */
const MOST_DISTINCT = 200

/** How long candidates are compared before other work runs, in milliseconds. */
const WORK_MS = 5

/** How many of the best are considered by MMR, the reranker, or as answers. */
export const consideredCount = ({ topK, mmr, reranker }: QuerySettings): number =>
  Math.max(topK, mmr?.fetchK ?? 0, reranker ? RERANKED : 0)

/** Whether candidates are compared with one another. */
export const comparesVectors = ({ mmr, nearDuplicates }: QuerySettings): boolean =>
  mmr !== undefined || nearDuplicates !== undefined

/** What each step has left of a ranking, in its order. */
export type Choice = {
  /** Without near duplicates: as many as are considered, with `whole` more. */
  distinct: Ranked<Candidate>[]
  /** As many as are considered, in the order of the reranker where there is one. */
  judged: JudgedCandidate[]
  /** In the order in which MMR has chosen; the same without it. */
  ordered: ChosenCandidate[]
  /** The first `topK`. */
  chosen: ChosenCandidate[]
}

/**
 * Chooses the answers from a ranking: drops near duplicates, applies the reranker, then MMR. At most `topK` are left.
 */
export const chooseAnswers = async (
  ranked: readonly Ranked<Candidate>[],
  query: string,
  settings: QuerySettings,
  signal?: AbortSignal,
): Promise<ChosenCandidate[]> => (await chooseInSteps(ranked, query, settings, { signal })).chosen

/** The same with what each step has left. With `whole`, reranker and MMR go on after `topK`: with all that they consider. */
export async function chooseInSteps(
  ranked: readonly Ranked<Candidate>[],
  query: string,
  settings: QuerySettings,
  { signal, whole = false }: { signal?: AbortSignal | undefined; whole?: boolean },
): Promise<Choice> {
  const { topK, nearDuplicates, reranker, mmr } = settings
  const considered = consideredCount(settings)
  const wanted = whole ? Math.max(considered, MOST_DISTINCT) : considered
  const distinct =
    nearDuplicates === undefined
      ? ranked.slice(0, whole ? undefined : considered)
      : await take(withoutNearDuplicates(ranked, { threshold: nearDuplicates, vectorOf }), wanted, signal)
  const first = distinct.slice(0, considered)
  const judged: JudgedCandidate[] = reranker
    ? await rerank(first, query, reranker, mmr || whole ? first.length : topK, signal)
    : first
  if (!mmr) return { distinct, judged, ordered: judged, chosen: judged.slice(0, topK) }
  const { lambda, fetchK } = mmr
  const choice = chooseDiverse(judged, { lambda, fetchK: Math.max(topK, fetchK), vectorOf })
  const ordered = await take(choice, whole ? judged.length : topK, signal)
  return { distinct, judged, ordered, chosen: ordered.slice(0, topK) }
}

/** The first of some items. Comparing many with many takes long, so other work runs in between. */
async function take<Found>(found: Iterable<Found>, limit: number, signal?: AbortSignal): Promise<Found[]> {
  const taken: Found[] = []
  let pauseAt = performance.now() + WORK_MS
  for (const one of found) {
    taken.push(one)
    if (taken.length === limit) break
    if (performance.now() < pauseAt) continue
    await setImmediate()
    signal?.throwIfAborted()
    pauseAt = performance.now() + WORK_MS
  }
  return taken
}

/** The vector of a ranked candidate, where it was asked for. */
export const vectorOf = ({ candidate }: Ranked<Candidate>): Float32Array | undefined => candidate.vector

async function rerank(
  ranked: readonly Ranked<Candidate>[],
  query: string,
  reranker: Reranker,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<JudgedCandidate[]> {
  if (ranked.length === 0) return []
  const texts = ranked.map(({ candidate: { passage, pageContent } }) => passage ?? pageContent)
  const order = await reranker.rerank(query, texts, { limit, ...(signal ? { signal } : {}) })
  return order.map(({ index, score }, at) => {
    const one = ranked[index]
    if (!one) throw new SluiceError('internal', { id: reranker.id })
    return { candidate: one.candidate, score, rerank: { score, place: at + 1 } }
  })
}
