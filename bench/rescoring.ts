import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Collection } from '../src/evaluate/collection.ts'
import { ndcg, type RelevanceGrades } from '../src/evaluate/measures.ts'
import { evenly } from '../src/evaluate/timing.ts'
import { candidateFeatures } from '../src/retrieve/rescoring/rescore-candidates.ts'
import type { PassageFeatures } from '../src/retrieve/rescoring/passage-features.ts'
import { RESCORED, RESCORING_WEIGHTS } from '../src/retrieve/rescoring/rescoring-weights.ts'
import { querySettings, weightFor } from '../src/retrieve/settings.ts'
import { candidatesPerSide, rankCandidates } from '../src/vector/fusion.ts'
import { benchCollections, FIRST_SIXTEEN } from './support/bench-collections.ts'
import { emptyStore } from './support/empty-store.ts'
import { loadBenchCollection } from './support/load-bench-collection.ts'
import { fitListwise, type RankedList } from './support/listwise.ts'
import { printTable } from './support/table.ts'
import { withTypingErrors } from './support/typing-errors.ts'

/*
 * What does rescoring gain, and with which weights? Fits them on the collections below SLUICE_CORPUS/retrieval and prints them
 * (compare with src/retrieve/rescoring/rescoring-weights.ts). The forecast for new collections is the column where each
 * collection is ranked by weights that were fitted without its family: collections with the same texts. The collections that
 * lose the most come first.
 * BENCH_QUERIES sets how many queries of each collection are used; `bench/support/bench-collections.ts` which collections;
 * BENCH_KEEP a folder where the features of collections are kept, so that they are not read again: with names of collections as
 * arguments, only these are read, and nothing is fitted.
 */

const QUERIES = Number(process.env.BENCH_QUERIES ?? 400)
const KEEP = process.env.BENCH_KEEP
const DEPTH = 100

/** XQuAD is SQuAD in several languages. */
const familyOf = (name: string): string =>
  /^x?squad|^xquad/.test(name)
    ? 'squad'
    : /^licences/.test(name)
      ? 'licences'
      : /^arcd/.test(name)
        ? 'arcd'
        : name

/**
 * How much a collection counts: XQuAD is one collection five times; the questions of chunking_eval find nearly all; those of
 * flask_code and about licences are few. The letters of arcd_persian are made of arcd_ar.
 */
const countOf = (name: string): number =>
  name === 'arcd_persian'
    ? 0
    : /^xquad|^licences|^flask/.test(name)
      ? 0.35
      : name === 'chunking_eval'
        ? 0.3
        : 1

const FEATURES = Object.keys(RESCORING_WEIGHTS).filter((name) => name !== 'hybrid') as Feature[]
type Feature = Exclude<keyof PassageFeatures, 'hybrid'>
type Weights = Record<Feature, number>

/** The candidates of a query in hybrid order; only the first of them have features. */
type Query = { judged: RelevanceGrades; sources: string[]; features: PassageFeatures[] }
type Asked = Query & { keyword: number; vector: number; typed: Query }
type Measured = { name: string; queries: Asked[]; cpuMs: number[] }

export async function run(names: readonly string[] = []): Promise<void> {
  const measured: Measured[] = KEEP === undefined ? [] : kept(KEEP)
  for await (const collection of benchCollections(names)) {
    if (measured.some(({ name }) => name === collection.name)) continue
    const asked = await ask(collection)
    measured.push({ name: collection.name, ...asked })
    if (KEEP !== undefined) keep(KEEP, measured.at(-1)!)
    console.error(collection.name)
  }
  if (measured.length === 0) return console.log('not run: SLUICE_CORPUS is not set')
  if (names.length > 0) return
  const all = fit(measured)
  const families = new Map(
    [...new Set(measured.map(({ name }) => familyOf(name)))].map((family) => [
      family,
      fit(measured.filter(({ name }) => familyOf(name) !== family)),
    ]),
  )
  const sideOf = (one: Measured, side: 'keyword' | 'vector') =>
    one.queries.reduce((sum, query) => sum + query[side], 0) / one.queries.length
  const plain = (one: Measured) => meanOf(one.queries, undefined)
  const rescored = (one: Measured) => meanOf(one.queries, RESCORING_WEIGHTS)
  const betterHalf = (one: Measured) => Math.max(sideOf(one, 'keyword'), sideOf(one, 'vector'))
  const columns: [title: string, quality: (one: Measured) => number][] = [
    ['keyword', (one) => sideOf(one, 'keyword')],
    ['vector', (one) => sideOf(one, 'vector')],
    ['without rescoring', plain],
    ['hybrid', rescored],
    ['to better half', (one) => rescored(one) - betterHalf(one)],
    ['to without rescoring', (one) => rescored(one) - plain(one)],
    ['typing errors', (one) => meanOf(typedOf(one), RESCORING_WEIGHTS)],
    ['typing errors take', (one) => meanOf(typedOf(one), RESCORING_WEIGHTS) - rescored(one)],
    ['fitted on all', (one) => meanOf(one.queries, all)],
    ['family left out', (one) => meanOf(one.queries, families.get(familyOf(one.name))!)],
    ['CPU ms of rescoring, p50', (one) => middleOf(one.cpuMs)],
  ]
  const rows = measured
    .map((one) => ({ one, figures: columns.map(([, quality]) => quality(one)) }))
    .sort(
      (left, right) =>
        Math.min(left.figures[4]!, left.figures[5]!) - Math.min(right.figures[4]!, right.figures[5]!),
    )
  const cells = (row: readonly number[]) => row.map((figure) => figure.toFixed(4))
  const meanRow = (title: string, some: typeof rows) =>
    some.length === 0
      ? []
      : [
          [
            title,
            ...cells(
              columns.map((_, at) => some.reduce((sum, row) => sum + row.figures[at]!, 0) / some.length),
            ),
          ],
        ]
  printTable([
    ['nDCG@10', ...columns.map(([title]) => title)],
    ...rows.map(({ one, figures }) => [one.name, ...cells(figures)]),
    ...meanRow('mean', rows),
    ...meanRow(
      'mean of the first sixteen',
      rows.filter(({ one }) => FIRST_SIXTEEN.has(one.name)),
    ),
  ])
  console.log()
  printTable([
    ['feature', 'committed', 'fitted on all'],
    ['hybrid', ...[RESCORING_WEIGHTS.hybrid, RESCORING_WEIGHTS.hybrid].map(String)],
    ...FEATURES.map((name) => [name, String(RESCORING_WEIGHTS[name]), all[name].toFixed(4)]),
  ])
}

/** The collections that a folder has, a JSON file each; a map of grades is a list of pairs there. */
function kept(folder: string): Measured[] {
  const grades = (key: string, value: unknown) =>
    key === 'judged' ? new Map(value as [string, number][]) : value
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8'), grades))
}

function keep(folder: string, measured: Measured): void {
  const pairs = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
  writeFileSync(path.join(folder, `${measured.name}.json`), JSON.stringify(measured, pairs))
}

/** Loads a collection with the parts of the quickstart flow, and reads the first candidates of its queries. */
async function ask(collection: Collection): Promise<Omit<Measured, 'name'>> {
  await using opened = emptyStore()
  const { store } = opened
  const part = await loadBenchCollection(collection, store)
  const { embedder } = part
  const settings = querySettings(part, {})
  const cpuMs: number[] = []
  const search = async (text: string, judged: RelevanceGrades) => {
    const vector = await embedder.embedQuery(text)
    const weight = weightFor(settings, embedder, text)
    const ranking = { mode: 'hybrid' as const, fusion: 'convex' as const, weight }
    const request = { vector, text, spelling: true, limit: candidatesPerSide(DEPTH), withHeads: RESCORED }
    const found = await store.searchRanked!(request, ranking)
    const asked = { question: text, vector, ranking, embedder }
    const began = process.cpuUsage()
    const features = await candidateFeatures(found, asked, RESCORED)
    const used = process.cpuUsage(began)
    cpuMs.push((used.user + used.system) / 1000)
    const sourcesOf = (ranked: typeof found.ranked) =>
      ranked.slice(0, DEPTH).map(({ candidate }) => String(candidate.metadata.source))
    const candidates = found.ranked.map(({ candidate }) => candidate)
    const side = (mode: 'keyword' | 'vector') =>
      ndcg([...new Set(sourcesOf(rankCandidates(candidates, { ...ranking, mode })))], judged, 10)
    const halves = { keyword: side('keyword'), vector: side('vector') }
    return { judged, sources: sourcesOf(found.ranked), features, ...halves }
  }
  const queries: Asked[] = []
  for (const [at, { text, judged }] of evenly(collection.queries, QUERIES).entries()) {
    const clean = await search(text, judged)
    queries.push({ ...clean, typed: await search(withTypingErrors(text, at + 1), judged) })
  }
  return { queries, cpuMs }
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!

/** The queries of a collection with typing errors. */
const typedOf = ({ queries }: Measured): Query[] => queries.map(({ typed }) => typed)

/** The mean nDCG@10 of queries, with weights or in the hybrid order. */
function meanOf(queries: readonly Query[], weights: Weights | undefined): number {
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

if (import.meta.main) await run(process.argv.slice(2))
