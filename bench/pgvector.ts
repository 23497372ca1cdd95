import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Filter } from '../src/contract/filter.ts'
import { builtInEmbedder } from '../src/embed/builtin.ts'
import { exactScore } from '../src/vector/metric.ts'
import { Best } from '../src/vector/best.ts'
import { pgVectorDatabase, pgVectorOver } from '../test/support/pgvector.ts'
import { printTable, quantile } from './support/table.ts'

const WINDOW = 500
/** How far a window begins after the one before, in characters: less means more near duplicates. */
const STEP = Number(process.env.BENCH_STEP ?? 200)
const BATCH = 500
const K = 10
const QUESTIONS = 200
/** Two vectors are as close as each other within this: overlapping windows have nearly the same vector. */
const TIE = 1e-3

type Chunk = { text: string; collection: string; group: number }

/**
 * Recall@10, p50 and p99 of the engine over PostgreSQL with pgvector, on windows of real text below SLUICE_CORPUS/retrieval and on
 * real questions: without a filter, with one that 1 % of the chunks meet, and with filters that go with the meaning (the
 * question's own collection, and all others). `BENCH_ROWS` chunks, 70,000 unless given.
 */
export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) throw new Error('SLUICE_CORPUS is not set')
  const folder = path.join(corpus, 'retrieval')
  const embedder = builtInEmbedder()
  const chunks = readChunks(folder, Number(process.env.BENCH_ROWS ?? 70_000))
  const vectors: Float32Array[] = []
  for (let at = 0; at < chunks.length; at += BATCH)
    vectors.push(...(await embedder.embed(chunks.slice(at, at + BATCH).map(({ text }) => text))))
  const engine = await pgVectorOver({ database: await pgVectorDatabase(), quietMs: 3_600_000 })
  const began = performance.now()
  for (let at = 0; at < chunks.length; at += BATCH)
    await engine.upsert(
      'bench',
      chunks.slice(at, at + BATCH).map(({ text, collection, group }, n) => ({
        id: String(at + n),
        text,
        vector: vectors[at + n]!,
        metadata: { collection, group },
      })),
    )
  const loaded = performance.now()
  await engine.buildGraphs()
  const built = performance.now()
  console.log(
    `${chunks.length} chunks of ${vectors[0]!.length} dimensions: ${Math.round((chunks.length * 1000) / (loaded - began))} rows/s in, graph and index of the fields in ${((built - loaded) / 1000).toFixed(1)} s\n`,
  )
  const questions = readQuestions(folder)
  const filters: [string, (question: { collection: string }, at: number) => Filter | undefined][] = [
    ['none', () => undefined],
    ['1 %, independent of the meaning', (_, at) => ({ path: ['group'], op: 'eq', value: at % 100 })],
    ['own collection', ({ collection }) => ({ path: ['collection'], op: 'eq', value: collection })],
    [
      'another collection',
      (one, at) => ({ path: ['collection'], op: 'eq', value: otherThan(questions, one, at) }),
    ],
    ['all other collections', ({ collection }) => ({ path: ['collection'], op: 'ne', value: collection })],
  ]
  const rows: (string | number)[][] = [['filter', 'recall@10', 'least', 'p50 ms', 'p99 ms']]
  const queries = await Promise.all(questions.map(({ text }) => embedder.embedQuery(text)))
  for (const [name, filterOf] of filters) {
    const times: number[] = []
    const recalls: number[] = []
    for (const [at, question] of questions.entries()) {
      const filter = filterOf(question, at)
      const vector = queries[at]!
      const start = performance.now()
      const request = { vector, metric: 'cosine' as const, limit: K, ...(filter ? { filter } : {}) }
      const found = await engine.search('bench', request)
      times.push(performance.now() - start)
      recalls.push(
        recallOf(
          found.map(({ id }) => Number(id)),
          { chunks, vectors, vector, filter },
        ),
      )
    }
    const mean = recalls.reduce((sum, one) => sum + one, 0) / recalls.length
    rows.push([
      name,
      mean.toFixed(3),
      Math.min(...recalls).toFixed(1),
      quantile(times, 0.5).toFixed(1),
      quantile(times, 0.99).toFixed(1),
    ])
  }
  printTable(rows)
  await engine.close()
}

function otherThan(
  questions: readonly { collection: string }[],
  { collection }: { collection: string },
  at: number,
) {
  const names = [...new Set(questions.map((one) => one.collection))].filter((name) => name !== collection)
  return names[at % names.length]!
}

const linesOf = <Line>(file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** Windows of all collections, the same part of each, at most so many. */
export function readChunks(folder: string, most: number): Chunk[] {
  const all: Chunk[] = []
  for (const collection of readdirSync(folder).sort())
    for (const { text } of linesOf<{ text: string }>(path.join(folder, collection, 'corpus.jsonl')))
      for (let at = 0; at < Math.max(1, text.length - WINDOW + STEP); at += STEP)
        all.push({ text: text.slice(at, at + WINDOW), collection, group: all.length % 100 })
  const every = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, n) => all[Math.floor(n * every)]!)
}

export function readQuestions(folder: string): { text: string; collection: string }[] {
  const all = readdirSync(folder)
    .sort()
    .flatMap((collection) =>
      linesOf<{ text: string }>(path.join(folder, collection, 'queries.jsonl')).map(({ text }) => ({
        text,
        collection,
      })),
    )
  return Array.from({ length: QUESTIONS }, (_, n) => all[Math.floor((n * all.length) / QUESTIONS)]!)
}

/** Which part of the ten best was found; what is as close as the tenth counts as one of them. */
export function recallOf(
  found: readonly number[],
  {
    chunks,
    vectors,
    vector,
    filter,
  }: {
    chunks: readonly Chunk[]
    vectors: readonly Float32Array[]
    vector: Float32Array
    filter: Filter | undefined
  },
): number {
  const best = new Best(K)
  for (const [id, own] of vectors.entries())
    if (meets(chunks[id]!, filter)) best.offer(id, exactScore('cosine', vector, own))
  const truth = best.ranked()
  const least = truth.at(-1)?.score ?? Infinity
  const good = found.filter(
    (id) => meets(chunks[id]!, filter) && exactScore('cosine', vector, vectors[id]!) >= least - TIE,
  )
  return truth.length === 0 ? 1 : Math.min(good.length, truth.length) / truth.length
}

function meets(chunk: Chunk, filter: Filter | undefined): boolean {
  if (!filter || (filter.op !== 'eq' && filter.op !== 'ne')) return true
  const value = filter.path[0] === 'group' ? chunk.group : chunk.collection
  return (value === filter.value) === (filter.op === 'eq')
}
