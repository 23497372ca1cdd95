import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readCollection } from '../src/evaluate/collection.ts'
import { ndcg } from '../src/evaluate/measures.ts'
import type { Mode } from '../src/contract/retrieval.ts'
import { createRetriever } from '../src/retrieve/run.ts'
import { emptyStore } from './support/empty-store.ts'
import { loadBenchCollection } from './support/load-bench-collection.ts'
import { printTable } from './support/table.ts'

/*
 * What do the earlier questions of a conversation add to a search? nDCG@10 of the follow-up questions of every collection below
 * SLUICE_CORPUS/retrieval whose queries have a `history`: the question alone, joined to the last one or to all, and with `history`.
 */

type Question = { _id: string; text: string; history: string[] }

const WAYS: Record<string, (question: Question) => { query: string; history?: string[] }> = {
  alone: ({ text }) => ({ query: text }),
  'joined to the last': ({ text, history }) => ({ query: [...history.slice(-1), text].join(' ') }),
  'joined to all': ({ text, history }) => ({ query: [...history, text].join(' ') }),
  'with history': ({ text, history }) => ({ query: text, history }),
}
const MODES = ['keyword', 'vector', 'hybrid'] as const satisfies Mode[]

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS is not set')
  for (const entry of readdirSync(path.join(corpus, 'retrieval'))) {
    const folder = path.join(corpus, 'retrieval', entry)
    const asked = followUps(folder)
    if (asked.size > 0) await measure(folder, asked)
  }
}

/** The questions of a collection that have earlier ones, by their ids. */
function followUps(folder: string): Map<string, Question> {
  const file = path.join(folder, 'queries.jsonl')
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const questions = lines.map(
    (line) => ({ history: [], ...(JSON.parse(line) as object) }) as unknown as Question,
  )
  return new Map(questions.filter(({ history }) => history.length > 0).map((one) => [one._id, one]))
}

async function measure(folder: string, asked: ReadonlyMap<string, Question>): Promise<void> {
  const collection = await readCollection(folder)
  await using opened = emptyStore()
  const part = await loadBenchCollection(collection, opened.store)
  const { retrieve } = createRetriever()
  const queries = collection.queries.filter(({ id }) => asked.has(id))
  const rows: string[][] = []
  for (const [name, way] of Object.entries(WAYS)) {
    const row = [name]
    for (const mode of MODES) {
      let sum = 0
      for (const { id, judged } of queries) {
        const { query, ...history } = way(asked.get(id)!)
        const [hits] = await retrieve(part, [query], { topK: 40, mode, ...history })
        sum += ndcg([...new Set(hits!.map(({ metadata }) => String(metadata.source)))], judged, 10)
      }
      row.push((sum / queries.length).toFixed(4))
    }
    rows.push(row)
  }
  console.log(`${collection.name}: ${queries.length} questions with earlier ones, nDCG@10`)
  printTable([['', ...MODES], ...rows.toSorted((one, other) => Number(one.at(-1)) - Number(other.at(-1)))])
}
