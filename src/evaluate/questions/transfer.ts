import type { ChunkStore } from '../../contract/chunk-store.ts'
import {
  type JudgedPassage,
  type Question,
  QUESTION_LIMITS,
  type QuestionJudgement,
} from '../../contract/question-store.ts'
import { questionKey } from '../../documents/question-key.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'

/** The three files of a collection of questions, in the format of BEIR. Lines of the corpus may also have `source` and `passage`. */
export type QuestionFiles = { corpus: string; queries: string; qrels: string }

/** How much text of whole documents an export has at most, in UTF-16 code units; the others come without their text. */
const MOST_TEXT = 16 * 2 ** 20

/**
 * Questions as files: a document for each judged source, and one for each judged passage, which has its text.
 *
 * @param store the texts of sources are read from it
 */
export async function exportQuestions(
  questions: readonly Question[],
  store: Pick<ChunkStore, 'text'>,
): Promise<QuestionFiles> {
  const ids = new Map<string, string>()
  const corpus: string[] = []
  const qrels = ['query-id\tcorpus-id\tscore']
  let room = MOST_TEXT
  for (const { id, judgements } of questions)
    for (const { source, passage, grade } of judgements) {
      const key = JSON.stringify([source, passage?.quote])
      let document = ids.get(key)
      if (document === undefined) {
        document = passage ? `${source}#${ids.size + 1}` : source
        ids.set(key, document)
        const text = passage?.quote ?? (room > 0 ? await textOf(store, source) : '')
        room -= text.length
        const { quote: _, ...place } = passage ?? { quote: '' }
        const line = { _id: document, title: source, text, source, ...(passage ? { passage: place } : {}) }
        corpus.push(JSON.stringify(line))
      }
      qrels.push([id, document, grade].map((cell) => String(cell).replace(/[\t\r\n]/g, ' ')).join('\t'))
    }
  const queries = questions.map(({ id, text }) => JSON.stringify({ _id: id, text }))
  return { corpus: linesOf(corpus), queries: linesOf(queries), qrels: linesOf(qrels) }
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

async function textOf(store: Pick<ChunkStore, 'text'>, source: string): Promise<string> {
  const found = await store.text({ source, version: 'newest', start: 0, end: MOST_TEXT })
  return found?.text ?? ''
}

/** What files say: the questions, and what of them could not be taken. */
export type ReadQuestions = {
  questions: { text: string; judgements: QuestionJudgement[] }[]
  /** Ids of documents that are judged and that no document of the store has. */
  missing: string[]
  /** How many queries have no judgement that is left, an empty text or one that is too long, and the text of one before. */
  numUnjudged: number
  numUnreadable: number
  numDuplicates: number
}

/**
 * Reads questions from files. A document is known by its id, or where the corpus has its line, by `source` or the title of that line.
 *
 * @param hasSource whether the store has a source
 * @throws SluiceError `questions_invalid` with the line at fault
 */
export async function readQuestions(
  files: Partial<QuestionFiles> & Pick<QuestionFiles, 'queries' | 'qrels'>,
  hasSource: (source: string) => Promise<boolean>,
): Promise<ReadQuestions> {
  const corpus = recordsOf('corpus.jsonl', files.corpus ?? '')
  const queries = recordsOf('queries.jsonl', files.queries)
  const judged = gradesOf(files.qrels, queries)
  const missing = new Set<string>()
  const found = new Map<string, Omit<QuestionJudgement, 'grade'> | undefined>()

  async function documentOf(id: string) {
    if (found.has(id)) return found.get(id)
    const line = corpus.get(id)
    let named: Omit<QuestionJudgement, 'grade'> | undefined
    for (const name of [line?.source, id, line?.title])
      if (!named && typeof name === 'string' && name !== '' && (await hasSource(name)))
        named = { source: name, ...passageOf(line) }
    found.set(id, named)
    if (!named) missing.add(id)
    return named
  }

  const texts = new Map<string, { text: string; judgements: QuestionJudgement[] }>()
  const counts = { numUnjudged: 0, numUnreadable: 0, numDuplicates: 0 }
  for (const [id, { text }] of queries) {
    const question = typeof text === 'string' ? text.trim() : ''
    if (question === '' || question.length > QUESTION_LIMITS.text) {
      counts.numUnreadable++
      continue
    }
    const judgements: QuestionJudgement[] = []
    for (const [document, grade] of judged.get(id) ?? []) {
      const named = await documentOf(document)
      if (named) judgements.push({ ...named, grade: Math.max(0, grade) })
    }
    if (judgements.length === 0) {
      counts.numUnjudged++
      continue
    }
    const present = texts.get(questionKey(question))
    if (present) counts.numDuplicates++
    texts.set(questionKey(question), {
      text: present?.text ?? question,
      judgements: [...(present?.judgements ?? []), ...judgements],
    })
  }
  return { questions: [...texts.values()], missing: [...missing], ...counts }
}

/** The passage of a line of the corpus, where it says that its text is one. */
function passageOf(line: JsonObject | undefined): { passage?: JudgedPassage } {
  if (!line || line.passage === undefined || typeof line.text !== 'string' || line.text.trim() === '')
    return {}
  const { start, end } = isObject(line.passage) ? (line.passage as JsonObject) : {}
  const place = typeof start === 'number' && typeof end === 'number' ? { start, end } : {}
  return { passage: { quote: line.text.slice(0, QUESTION_LIMITS.quote), ...place } }
}

const refusal = (reason: string) => new SluiceError('questions_invalid', { reason })

function* numberedLines(text: string): Generator<[line: string, number: number]> {
  let number = 0
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    number++
    if (line.trim() !== '') yield [line, number]
  }
}

/** @throws SluiceError `questions_invalid` */
function recordsOf(file: string, content: string): Map<string, JsonObject> {
  const records = new Map<string, JsonObject>()
  for (const [line, number] of numberedLines(content)) {
    const row = parseJson(line)
    if (!isObject(row)) throw refusal(`line ${number} of ${file} is no JSON object`)
    const { _id: id } = row as JsonObject
    if (typeof id !== 'string' && typeof id !== 'number')
      throw refusal(`line ${number} of ${file} has no "_id"`)
    if (records.has(String(id))) throw refusal(`line ${number} of ${file} has the "_id" of a line before it`)
    records.set(String(id), row as JsonObject)
  }
  return records
}

/** @throws SluiceError `questions_invalid` */
function gradesOf(
  content: string,
  queries: ReadonlyMap<string, JsonObject>,
): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>()
  let isFirst = true
  for (const [line, number] of numberedLines(content)) {
    const [query = '', document = '', grade = ''] = line.split('\t').map((cell) => cell.trim())
    const isHeading = isFirst && !Number.isFinite(Number(grade || 'none'))
    isFirst = false
    if (isHeading) continue
    if (grade === '' || !Number.isFinite(Number(grade)))
      throw refusal(`line ${number} of qrels.tsv is not a query, a document and a grade with tabs between`)
    if (!queries.has(query))
      throw refusal(`line ${number} of qrels.tsv names a query that queries.jsonl does not have`)
    const known = judged.get(query) ?? new Map<string, number>()
    judged.set(query, known.set(document, Number(grade)))
  }
  return judged
}
