import { readdirSync } from 'node:fs'
import path from 'node:path'
import { readCollection } from '../src/evaluate/collection.ts'
import { ndcg, type RelevanceGrades } from '../src/evaluate/measures.ts'
import { evenly } from '../src/evaluate/timing.ts'
import { candidateFeatures } from '../src/retrieve/rescoring/candidate-features.ts'
import type { PassageFeatures } from '../src/retrieve/rescoring/passage-features.ts'
import { RESCORED, RESCORING_WEIGHTS } from '../src/retrieve/rescoring/rescoring-weights.ts'
import { querySettings, weightFor } from '../src/retrieve/settings.ts'
import { candidatesPerSide } from '../src/vector/fusion.ts'
import { emptyStore } from './support/empty-store.ts'
import { loadBenchCollection } from './support/load-bench-collection.ts'
import { fitListwise, type RankedList } from './support/listwise.ts'
import { printTable } from './support/table.ts'

/*
 * What does rescoring gain, and with which weights? Fits them on the collections below SLUICE_CORPUS/retrieval and prints them
 * (compare with src/retrieve/rescoring/rescoring-weights.ts). The forecast for new collections is the column where each
 * collection is ranked by weights that were fitted without its family: collections with the same texts.
 * BENCH_QUERIES sets how many queries of each collection are used.
 */

const QUERIES = Number(process.env.BENCH_QUERIES ?? 400)
const DEPTH = 100

/** XQuAD is SQuAD in several languages. */
const familyOf = (name: string): string => (/^x?squad|^xquad/.test(name) ? 'squad' : name)

/** How much a collection counts: XQuAD is one collection five times; the questions of chunking_eval find nearly all. */
const countOf = (name: string): number =>
  name.startsWith('xquad') ? 0.35 : name === 'chunking_eval' ? 0.3 : 1

const FEATURES = Object.keys(RESCORING_WEIGHTS).filter((name) => name !== 'hybrid') as Feature[]
type Feature = Exclude<keyof PassageFeatures, 'hybrid'>
type Weights = Record<Feature, number>

/** The candidates of a query in hybrid order; only the first of them have features. */
type Query = { judged: RelevanceGrades; sources: string[]; features: PassageFeatures[] }
type Measured = { name: string; queries: Query[]; cpuMs: number[] }

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS is not set')
  const folder = path.join(corpus, 'retrieval')
  const measured: Measured[] = []
  for (const name of readdirSync(folder).toSorted()) {
    measured.push({ name, ...(await ask(path.join(folder, name))) })
    console.error(name)
  }
  const all = fit(measured)
  const families = new Map(
    [...new Set(measured.map(({ name }) => familyOf(name)))].map((family) => [
      family,
      fit(measured.filter(({ name }) => familyOf(name) !== family)),
    ]),
  )
  const columns: [title: string, quality: (one: Measured) => number][] = [
    ['hybrid', (one) => meanOf(one, undefined)],
    ['committed weights', (one) => meanOf(one, RESCORING_WEIGHTS)],
    ['fitted on all', (one) => meanOf(one, all)],
    ['family left out', (one) => meanOf(one, families.get(familyOf(one.name))!)],
  ]
  const figures = measured.map((one) => columns.map(([, quality]) => quality(one)))
  const means = columns.map((_, at) => figures.reduce((sum, row) => sum + row[at]!, 0) / figures.length)
  const cells = (row: readonly number[]) => row.map((figure) => figure.toFixed(4))
  printTable([
    ['nDCG@10', ...columns.map(([title]) => title), 'CPU ms of rescoring, p50'],
    ...figures.map((row, at) => [
      measured[at]!.name,
      ...cells(row),
      middleOf(measured[at]!.cpuMs).toFixed(2),
    ]),
    ['mean', ...cells(means)],
  ])
  console.log()
  printTable([
    ['feature', 'committed', 'fitted on all'],
    ['hybrid', ...[RESCORING_WEIGHTS.hybrid, RESCORING_WEIGHTS.hybrid].map(String)],
    ...FEATURES.map((name) => [name, String(RESCORING_WEIGHTS[name]), all[name].toFixed(4)]),
  ])
}

/** Loads a collection with the parts of the quickstart flow, and reads the first candidates of its queries. */
async function ask(folder: string): Promise<Omit<Measured, 'name'>> {
  const collection = await readCollection(folder)
  await using opened = emptyStore()
  const { store } = opened
  const part = await loadBenchCollection(collection, store)
  const { embedder } = part
  const settings = querySettings(part, {})
  const queries: Query[] = []
  const cpuMs: number[] = []
  for (const { text, judged } of evenly(collection.queries, QUERIES)) {
    const vector = await embedder.embedQuery(text)
    const weight = weightFor(settings, embedder, text)
    const ranking = { mode: 'hybrid' as const, fusion: 'convex' as const, weight }
    const request = { vector, text, spelling: true, limit: candidatesPerSide(DEPTH), withHeads: RESCORED }
    const found = await store.searchRanked!(request, { ...ranking, limit: DEPTH })
    const asked = { question: text, vector, ranking, embedder }
    const began = process.cpuUsage()
    const features = await candidateFeatures(found, asked, RESCORED)
    const used = process.cpuUsage(began)
    cpuMs.push((used.user + used.system) / 1000)
    const sources = found.ranked.map(({ candidate }) => String(candidate.metadata.source))
    queries.push({ judged, sources, features })
  }
  return { queries, cpuMs }
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!

/** The mean nDCG@10 of the queries of a collection, with weights or in the hybrid order. */
function meanOf({ queries }: Measured, weights: Weights | undefined): number {
  const each = queries.map(({ judged, sources, features }) => {
    const first = features.map((one, at) => ({
      source: sources[at]!,
      score: weights ? scoreOf(one, weights) : 0,
    }))
    const ordered = first.sort((one, other) => other.score - one.score).map(({ source }) => source)
    return ndcg([...new Set([...ordered, ...sources.slice(features.length)])], judged, 10)
  })
  return each.reduce((sum, one) => sum + one, 0) / each.length
}

const scoreOf = (features: PassageFeatures, weights: Weights): number =>
  FEATURES.reduce(
    (sum, name) => sum + weights[name] * features[name],
    RESCORING_WEIGHTS.hybrid * features.hybrid,
  )

function fit(measured: readonly Measured[]): Weights {
  const lists = measured.flatMap(({ name, queries }) =>
    queries.map(
      ({ judged, sources, features }): RankedList => ({
        weight: countOf(name) / queries.length,
        candidates: features.map((one, at) => ({
          document: sources[at]!,
          gain: 2 ** Math.max(0, judged.get(sources[at]!) ?? 0) - 1,
          base: RESCORING_WEIGHTS.hybrid * one.hybrid,
          values: FEATURES.map((feature) => one[feature]),
        })),
      }),
    ),
  )
  const fitted = fitListwise(lists.filter(({ candidates }) => candidates.some(({ gain }) => gain > 0)))
  return Object.fromEntries(FEATURES.map((name, at) => [name, fitted[at]!])) as Weights
}

if (import.meta.main) await run()
