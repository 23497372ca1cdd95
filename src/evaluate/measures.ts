/** How well a document answers a query, by its id: larger is better; 0, or absent, is no answer. */
export type RelevanceGrades = ReadonlyMap<string, number>

/**
 * Normalised discounted cumulative gain of the first `depth` documents: the sum of (2^grade - 1) / log2(rank + 1),
 * by that of the best order there could be (Järvelin, Kekäläinen, 2002; gains as in Burges et al., 2005).
 */
export function ndcg(ranked: readonly string[], judged: RelevanceGrades, depth: number): number {
  const gained = discounted(ranked.slice(0, depth).map((id) => judged.get(id) ?? 0))
  const ideal = [...judged.values()].toSorted((one, other) => other - one).slice(0, depth)
  return gained / discounted(ideal)
}

const discounted = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, place) => sum + (2 ** Math.max(0, grade) - 1) / Math.log2(place + 2), 0)

/** The share of the documents that answer which are among the first `depth`. */
export function recall(ranked: readonly string[], judged: RelevanceGrades, depth: number): number {
  const wanted = [...judged].filter(([, grade]) => grade > 0).length
  return ranked.slice(0, depth).filter((id) => answers(judged, id)).length / wanted
}

/** 1 by the rank of the first document that answers; 0 where none of the first `depth` does. */
export function reciprocalRank(ranked: readonly string[], judged: RelevanceGrades, depth: number): number {
  const place = ranked.slice(0, depth).findIndex((id) => answers(judged, id))
  return place < 0 ? 0 : 1 / (place + 1)
}

const answers = (judged: RelevanceGrades, id: string): boolean => (judged.get(id) ?? 0) > 0

/** Means over queries. */
export type Quality = { ndcg10: number; recall10: number; recall100: number; mrr10: number }

/** Sums up rankings, one query after another; every query needs a document that answers it. */
export class QualityMeter {
  readonly #sums: Quality = { ndcg10: 0, recall10: 0, recall100: 0, mrr10: 0 }
  #queries = 0

  /** @param ranked ids of documents, best first, each once */
  add(ranked: readonly string[], judged: RelevanceGrades): void {
    this.#queries++
    this.#sums.ndcg10 += ndcg(ranked, judged, 10)
    this.#sums.recall10 += recall(ranked, judged, 10)
    this.#sums.recall100 += recall(ranked, judged, 100)
    this.#sums.mrr10 += reciprocalRank(ranked, judged, 10)
  }

  mean(): Quality {
    const { ndcg10, recall10, recall100, mrr10 } = this.#sums
    const by = this.#queries
    return { ndcg10: ndcg10 / by, recall10: recall10 / by, recall100: recall100 / by, mrr10: mrr10 / by }
  }
}
