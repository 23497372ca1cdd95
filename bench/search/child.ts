import { setImmediate } from 'node:timers/promises'
import { ExactBest, GROUPS, groupOf, queryVector, vectorOf } from '../support/clustered.ts'
import { folderBytes } from '../support/folder-bytes.ts'
import { languageQuestion, languageText } from '../support/language.ts'
import { residentOf } from '../support/process-tree.ts'
import { quantile } from '../support/table.ts'
import type { Question, SearchEngine, SearchKind } from './engine.ts'
import { ENGINES } from './engines.ts'

/*
 * Measures one engine in a process of its own: `child.ts fill|reopen ENGINE FOLDER ROWS NAMESPACE`. `fill` inserts the rows and
 * searches them, `reopen` opens what was filled and searches once. Each writes one line of JSON.
 */

/** Figures by the name of their axis. */
export type Figures = Record<string, number>

const BATCH = 1000
/** How many texts have their vector searched for exactly, with up to 200,000 rows and with more. */
const EXACT_QUERIES = { few: 20, many: 8 }
const WARM = 20
const TIMED = 300
/** An axis that takes longer than this ends with fewer queries, but not with fewer than 20. */
const AXIS_MS = 20_000
const LEAST_TIMED = 20
const TEXT_CHARACTERS = 800

async function fill(engine: SearchEngine, searches: readonly SearchKind[], rows: number, folder: string) {
  const exact = new ExactBest(rows > 200_000 ? EXACT_QUERIES.many : EXACT_QUERIES.few, 10)
  let inserting = 0
  for (let from = 0; from < rows; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => rowOf(from + at))
    if (searches.includes('vector')) for (const { number, vector } of batch) exact.take(number, vector)
    inserting += await timeOf(() => engine.insert(batch))
  }
  const ready = await timeOf(() => engine.ready())
  const figures: Figures = {
    'rows/s in': rows / (inserting / 1000),
    'rows/s until all can be found': rows / ((inserting + ready) / 1000),
    'first search ms': await timeOf(() => engine.search(questionOf(searches[0]!, 1000))),
    'first search in 1 % ms': await timeOf(() => engine.search(questionOf(searches[0]!, 1001, true))),
  }
  for (const kind of searches) {
    for (const filtered of [false, true]) {
      const times = await timesOf((at) => engine.search(questionOf(kind, at, filtered)))
      const axis = filtered ? `${kind} in 1 %` : kind
      figures[`${axis} p50 ms`] = quantile(times, 0.5)
      figures[`${axis} p99 ms`] = quantile(times, 0.99)
    }
  }
  if (searches.includes('vector')) {
    const numbers = async (vector: Float32Array, group: number | undefined) =>
      (await engine.search({ vector, ...(group === undefined ? {} : { group }) })).map(({ number }) => number)
    figures['recall@10'] = await exact.recall(numbers, false)
    figures['recall@10 in 1 %'] = await exact.recall(numbers, true)
  }
  figures['memory MB'] = residentOf(process.pid).own
  await engine.close()
  figures['disk bytes a row'] = folderBytes(folder) / rows
  return figures
}

function rowOf(number: number) {
  return {
    number,
    vector: vectorOf(number),
    text: languageText(number, TEXT_CHARACTERS),
    group: groupOf(number),
  }
}

/** The question with a number: a vector, words, or both; never the same. */
function questionOf(kind: SearchKind, at: number, filtered = false): Question {
  return {
    ...(kind === 'keyword' ? {} : { vector: queryVector(at) }),
    ...(kind === 'vector' ? {} : { text: languageQuestion(at) }),
    ...(filtered ? { group: at % GROUPS } : {}),
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function timesOf(work: (at: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const began = performance.now()
  for (let at = 0; times.length < TIMED; at++) {
    if (performance.now() - began > AXIS_MS && times.length >= LEAST_TIMED) break
    const time = await timeOf(() => work(at))
    if (at >= WARM) times.push(time)
    await setImmediate()
  }
  return times
}

/** Milliseconds from the begin of opening to the first answers, one kind of search after another. */
async function reopen(open: () => Promise<SearchEngine>, searches: readonly SearchKind[]): Promise<Figures> {
  // Reads the texts for questions, which is not a part of opening.
  languageQuestion(0)
  const began = performance.now()
  const engine = await open()
  await engine.search(questionOf(searches[0]!, 2000))
  const figures: Figures = { 'reopened, to the first answer ms': performance.now() - began }
  figures['reopened, first search in 1 % ms'] = await timeOf(() =>
    engine.search(questionOf(searches[0]!, 2002, true)),
  )
  if (searches.includes('hybrid')) {
    await engine.search(questionOf('hybrid', 2001))
    figures['reopened, to a hybrid answer too ms'] = performance.now() - began
  }
  await engine.close()
  return figures
}

const [task = '', name = '', folder = '', rows = '', namespace = ''] = process.argv.slice(2)
const { open, searches } = ENGINES[name]!
const figures =
  task === 'reopen'
    ? await reopen(() => open(folder, namespace), searches)
    : await fill(await open(folder, namespace), searches, Number(rows), folder)
console.log(JSON.stringify(figures))
