import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { MODES, type Mode } from '../../src/contract/retrieval.ts'
import type { Candidate } from '../../src/contract/search.ts'
import { builtInEmbedder } from '../../src/embed/builtin.ts'
import { bothCases, isAnswer, RELIABILITY_HITS } from '../../src/evaluate/answerable.ts'
import { type Collection, readCollection } from '../../src/evaluate/collection.ts'
import { evenly } from '../../src/evaluate/timing.ts'
import { isCode } from '../../src/retrieve/code-likeness.ts'
import { basisOf, isFitted } from '../../src/retrieve/confidence.ts'
import { type ConfidenceBasis, featuresOf } from '../../src/retrieve/confidence-features.ts'
import { type FittedScript, scriptOf, wordsIn } from '../../src/retrieve/question-kind.ts'
import { candidatesPerSide, rankCandidates } from '../../src/vector/fusion.ts'
import { LONG_QUESTIONS } from '../long-questions.ts'
import { emptyStore } from './empty-store.ts'
import { loadBenchCollection } from './load-bench-collection.ts'

/** `code`: the hit is source code, and gets no confidence. */
export type CaseHit = { values: readonly number[]; right: boolean; code: boolean }

/** A question over a collection, with or without what answers it, and the first hits in each mode. */
export type ConfidenceCase = {
  /** The collection, and how the question was made: `squad_dev`, `squad_dev.neighbours`. */
  set: string
  /** Collections with the same texts. */
  family: string
  answerable: boolean
  words: number
  script: FittedScript | undefined
  /** By mode: whether there is a confidence for such a question, and its first hits. */
  modes: Record<Mode, { fitted: boolean; hits: CaseHit[] }>
}

/** `quoted`: the passage that the question begins with; it is not among what is found. */
type Asked = { text: string; judged: ReadonlyMap<string, number>; quoted?: string | undefined }
type AskedSet = { name: string; asked: Asked[]; unanswerable?: string[] }

/** A set of made-up questions has fewer. */
const LEAST_QUESTIONS = 20
/** A conversation is joined, latest turns last, until it has so many words. */
const CONVERSATION_WORDS = 60

/** XQuAD is SQuAD in several languages. */
const familyOf = (name: string): string => (/^(squad|xquad)_/.test(name) ? 'squad' : name)

export const basisIn = (mode: Mode): ConfidenceBasis =>
  basisOf({ mode, metric: 'cosine' }, builtInEmbedder().id)!

/**
 * Asks the questions of every collection in a folder, at most `most` of each: those of the collection, conversations and
 * long ones. Each runs over the whole collection, and again without the documents that answer it. Questions that people asked
 * and nothing answers run once.
 */
export async function confidenceCases(folder: string, most: number): Promise<ConfidenceCase[]> {
  const cases: ConfidenceCase[] = []
  for (const name of readdirSync(folder).toSorted()) {
    const collection = await readCollection(path.join(folder, name))
    const { neighbours, context, questions } = LONG_QUESTIONS
    const long = Math.ceil(most / 3)
    const sets = [
      { name, asked: evenly(collection.queries, most) },
      madeSet(`${name}.context`, context(collection), long),
      madeSet(`${name}.questions`, questions(collection), long),
      ...conversationSets(path.join(folder, name), collection, most),
    ]
    cases.push(...(await ask(collection, sets)))
    const near = neighbours(collection)
    cases.push(...(await ask({ ...collection, ...near }, [madeSet(`${name}.neighbours`, near, long)])))
    console.error(name)
  }
  return cases
}

function madeSet(name: string, { queries, quoted }: ReturnType<typeof LONG_QUESTIONS.context>, most: number) {
  const asked = queries.length < LEAST_QUESTIONS ? [] : evenly(queries, most)
  return { name, asked: asked.map(({ id, ...query }) => ({ ...query, quoted: quoted?.get(id) })) }
}

type Turn = { _id: string; text: string; history: string[] }

/** Last turns alone without an answer, and conversations as one text. */
function conversationSets(folder: string, { name, queries }: Collection, most: number): AskedSet[] {
  const turnsIn = (file: string): Turn[] =>
    existsSync(path.join(folder, file))
      ? readFileSync(path.join(folder, file), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Turn)
      : []
  const unanswerable = turnsIn('unanswerable.jsonl')
  if (unanswerable.length === 0) return []
  const judged = new Map(queries.map((query) => [query.id, query.judged]))
  const answered = turnsIn('queries.jsonl').filter(
    ({ _id, history }) => judged.has(_id) && history.length > 0,
  )
  return [
    { name, asked: [], unanswerable: unanswerable.map(({ text }) => text) },
    {
      name: `${name}.history`,
      asked: evenly(answered, most).map((turn) => ({ text: joined(turn), judged: judged.get(turn._id)! })),
      unanswerable: unanswerable.filter(({ history }) => history.length > 0).map(joined),
    },
  ]
}

function joined({ text, history }: Turn): string {
  let all = text
  for (const turn of history.toReversed()) if (wordsIn(all) < CONVERSATION_WORDS) all = `${turn} ${all}`
  return all
}

async function ask(collection: Collection, sets: readonly AskedSet[]): Promise<ConfidenceCase[]> {
  if (sets.every(({ asked, unanswerable = [] }) => asked.length + unanswerable.length === 0)) return []
  await using opened = emptyStore()
  const { store } = opened
  const { embedder } = await loadBenchCollection(collection, store)
  const limit = candidatesPerSide(RELIABILITY_HITS)
  const find = async (text: string): Promise<Candidate[]> =>
    store.search({ vector: await embedder.embedQuery(text), text, spelling: true, limit })
  const cases: ConfidenceCase[] = []
  for (const { name, asked, unanswerable = [] } of sets) {
    const add = (one: ReturnType<typeof bothCases>[number]) =>
      cases.push(caseOf(one, { set: name, family: familyOf(collection.name) }))
    for (const { text, judged, quoted } of asked) {
      const found = (await find(text)).filter(
        ({ metadata }) => quoted === undefined || metadata.source !== quoted,
      )
      for (const one of bothCases(text, found, judged)) add(one)
    }
    for (const text of unanswerable)
      add({ question: text, found: await find(text), judged: new Map(), answerable: false })
  }
  return cases
}

function caseOf(
  { question, found, judged, answerable }: ReturnType<typeof bothCases>[number],
  from: Pick<ConfidenceCase, 'set' | 'family'>,
): ConfidenceCase {
  const embedder = builtInEmbedder()
  const weight = embedder.hybridWeightFor?.(question) ?? embedder.hybridWeight!
  const modes = MODES.map((mode) => {
    const ranked = rankCandidates(found, { mode, fusion: 'convex', weight })
    const features = featuresOf({ question, found, ranked }, basisIn(mode))
    const hits = ranked.slice(0, RELIABILITY_HITS).map(({ candidate }) => ({
      values: features(candidate)!,
      right: isAnswer(judged, candidate),
      code: isCode(candidate.pageContent),
    }))
    return [mode, { fitted: isFitted({ question, ranked }), hits }] as const
  })
  return {
    ...from,
    answerable,
    words: wordsIn(question),
    script: scriptOf(question),
    modes: Object.fromEntries(modes) as unknown as ConfidenceCase['modes'],
  }
}
