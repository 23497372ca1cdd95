import type { StorePart } from '../src/contract/card.ts'
import type { ChunkStore } from '../src/contract/chunk-store.ts'
import { builtInEmbedder } from '../src/embed/builtin.ts'
import type { Collection } from '../src/evaluate/collection.ts'
import { measureRankings } from '../src/evaluate/ranking-quality.ts'
import { evaluate, type Evaluation } from '../src/evaluate/run.ts'
import { evenly } from '../src/evaluate/timing.ts'
import { quietLog } from '../src/kit/log.ts'
import { createKeyedQueue } from '../src/kit/keyed-queue.ts'
import { createRetriever } from '../src/retrieve/run.ts'
import { querySettings } from '../src/retrieve/settings.ts'
import { createUpsertEngine } from '../src/upsert/engine.ts'
import { benchCollections, FIRST_SIXTEEN } from './support/bench-collections.ts'
import { benchSplitter } from './support/bench-splitter.ts'
import { emptyStore } from './support/empty-store.ts'
import { printTable } from './support/table.ts'
import { withTypingErrors } from './support/typing-errors.ts'

/*
 * How well do the parts of the quickstart flow find what answers a question? nDCG@10 over every collection below
 * SLUICE_CORPUS/retrieval, or over those that are named: `node bench/eval.ts xquad_hi xquad_zh`; those first in which hybrid
 * search loses the most to its better half or to itself without rescoring. At most 1,000 queries of each, from all over it;
 * with --all every one.
 */

const QUERIES = 1000

export async function run(names: readonly string[] = [], limit = QUERIES): Promise<void> {
  const found: Measured[] = []
  for await (const collection of benchCollections(names)) {
    const began = performance.now()
    found.push(await measureCollection(collection, limit))
    const { keyword, vector, hybrid } = found.at(-1)!
    const scores = [keyword, vector, hybrid].map(({ ndcg10 }) => ndcg10.toFixed(4)).join(' ')
    console.error(`${collection.name}: ${scores}, ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  if (found.length === 0) return console.log('not run: SLUICE_CORPUS is not set, or has no such collection')
  found.sort((one, other) => lossOf(one) - lossOf(other))
  const sixteen = found.filter(({ collection }) => FIRST_SIXTEEN.has(collection))
  const meanOf = (some: readonly Measured[]) => (of: (one: Measured) => number) => {
    const known = some.map(of).filter((value) => !Number.isNaN(value))
    return known.reduce((sum, value) => sum + value, 0) / known.length
  }
  const row = (name: string, value: (of: (one: Measured) => number) => number) => [
    name,
    ...[
      value((one) => one.keyword.ndcg10),
      value((one) => one.vector.ndcg10),
      value((one) => one.hybrid.ndcg10),
      value((one) => one.withoutRescoring!.ndcg10),
      value((one) => one.typed),
      value((one) => one.typedWithoutSpelling),
      value(toBetterHalf),
      value(toUnrescored),
      value((one) => one.typed - one.hybrid.ndcg10),
      value((one) => one.hybrid.recall10),
      value((one) => one.hybrid.recall100),
      value((one) => one.hybrid.mrr10),
      value((one) => one.hybrid.reliability?.ece ?? Number.NaN),
      value((one) => one.hybrid.reliability?.auroc ?? Number.NaN),
      // Where no question has a confidence there is nothing to calibrate.
    ].map((score) => (Number.isNaN(score) ? '–' : score.toFixed(3))),
    value((one) => one.bestWeight).toFixed(2),
    ...[
      value((one) => one.keyword.p50Ms),
      value((one) => one.vector.p50Ms),
      value((one) => one.hybrid.p50Ms),
      value((one) => one.hybrid.p99Ms),
    ].map((milliseconds) => milliseconds.toFixed(1)),
  ]
  printTable([
    [
      'nDCG@10',
      'keyword',
      'vector',
      'hybrid',
      'without rescoring',
      'typing errors',
      'without spelling',
      'to better half',
      'to without rescoring',
      'typing errors take',
      'recall@10',
      'recall@100',
      'MRR@10',
      'ECE',
      'AUROC',
      'best weight',
      'keyword p50 ms',
      'vector p50 ms',
      'hybrid p50 ms',
      'hybrid p99 ms',
    ],
    ...found.map((one) => row(one.collection, (of) => of(one))),
    row('mean', meanOf(found)),
    ...(sixteen.length > 0 ? [row('mean of the first sixteen', meanOf(sixteen))] : []),
  ])
  console.log()
  printTable([['weight', 'mean nDCG@10 of hybrid', 'worst to better half', 'where'], ...byWeight(found)])
}

const toBetterHalf = ({ hybrid, keyword, vector }: Evaluation): number =>
  hybrid.ndcg10 - Math.max(keyword.ndcg10, vector.ndcg10)

const toUnrescored = ({ hybrid, withoutRescoring }: Evaluation): number =>
  hybrid.ndcg10 - withoutRescoring!.ndcg10

const lossOf = (one: Evaluation): number => Math.min(toBetterHalf(one), toUnrescored(one))

/** What every weight would give: on the mean, and where it takes the most from the better half. */
function byWeight(found: readonly Measured[]): string[][] {
  return found[0]!.weights.map(({ weight }, at) => {
    const gains = found.map((one) => ({
      name: one.collection,
      gain: one.weights[at]!.ndcg10 - Math.max(one.keyword.ndcg10, one.vector.ndcg10),
    }))
    const worst = gains.reduce((one, other) => (other.gain < one.gain ? other : one))
    const mean = found.reduce((sum, one) => sum + one.weights[at]!.ndcg10, 0) / found.length
    return [weight.toFixed(2), mean.toFixed(4), worst.gain.toFixed(3), worst.name]
  })
}

/** The evaluation, and nDCG@10 of hybrid search where a quarter of the longer words of each question has a typing error. */
type Measured = Evaluation & { typed: number; typedWithoutSpelling: number }

/** The parts of the quickstart flow over a store. */
export const quickstartPart = (store: ChunkStore): StorePart => ({
  store,
  embedder: builtInEmbedder(),
  loaders: [],
  retrieval: { topK: 10, searchType: 'similarity' },
})

/** What loads a collection. */
export const quickstartLoading = () => ({
  splitter: benchSplitter(),
  engine: createUpsertEngine({ namespaceQueue: createKeyedQueue(), log: quietLog }),
})

/** Measures the parts of the quickstart flow on a collection. */
async function measureCollection(collection: Collection, limit: number): Promise<Measured> {
  await using opened = emptyStore()
  const part = quickstartPart(opened.store)
  const queries = evenly(collection.queries, limit)
  const { signal } = new AbortController()
  const evaluation = await evaluate({
    part,
    ...quickstartLoading(),
    collection: { ...collection, queries },
    retriever: createRetriever(),
    signal,
  })
  const typed = queries.map((query, at) => ({ ...query, text: withTypingErrors(query.text, at + 1) }))
  const hybridOf = async (spelling: boolean) => {
    const settings = querySettings(part, { spelling })
    return (await measureRankings(part, typed, settings, { signal, onQuery() {} })).modes.hybrid.ndcg10
  }
  return { ...evaluation, typed: await hybridOf(true), typedWithoutSpelling: await hybridOf(false) }
}

if (import.meta.main) {
  const names = process.argv.slice(2)
  await run(
    names.filter((name) => name !== '--all'),
    names.includes('--all') ? Infinity : QUERIES,
  )
}
