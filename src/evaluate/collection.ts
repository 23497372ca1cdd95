import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, parseJson } from '../kit/json.ts'
import type { RelevanceGrades } from './measures.ts'

/** Documents, queries, and which document answers which query: the data for measuring retrieval. */
export type Collection = {
  /** The name of its folder. */
  name: string
  documents: { id: string; title: string; text: string }[]
  /** The queries that at least one document answers. `history`: the earlier questions of a conversation, the oldest first. */
  queries: { id: string; text: string; judged: RelevanceGrades; history?: string[] }[]
}

/**
 * Reads a collection in the format of BEIR (Thakur et al., 2021): `corpus.jsonl` with `{_id, title?, text}` a line,
 * `queries.jsonl` with `{_id, text, history?}`, and `qrels.tsv` with a query, a document and a grade a line, a heading
 * before them or not. `history` is no part of BEIR: the texts of the earlier questions.
 *
 * @throws SluiceError `collection_invalid`, with the file and line at fault
 */
export async function readCollection(directory: string): Promise<Collection> {
  const name = path.basename(path.resolve(directory))
  const refuse = (reason: string): never => {
    throw new SluiceError('collection_invalid', { collection: name, reason })
  }

  async function* linesOf(file: string): AsyncGenerator<[line: string, where: string]> {
    let number = 0
    const input = createReadStream(path.join(directory, file), 'utf8')
    try {
      for await (const line of createInterface({ input, crlfDelay: Infinity })) {
        const text = number++ === 0 ? line.replace(/^\uFEFF/, '') : line
        if (text.trim() !== '') yield [text, `line ${number} of ${file}`]
      }
    } catch (error) {
      if (error instanceof SluiceError) throw error
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      refuse(missing ? `${file} is not there` : `${file} cannot be read: ${reasonOf(error)}`)
    }
  }

  async function records(file: string): Promise<Map<string, Row>> {
    const found = new Map<string, Row>()
    for await (const [line, where] of linesOf(file)) {
      const row = parseJson(line)
      if (!isObject(row)) return refuse(`${where} is no JSON object`)
      const { _id: id, text, title = '', history } = row
      if (typeof id !== 'string' && typeof id !== 'number') return refuse(`${where} has no "_id"`)
      if (typeof text !== 'string') return refuse(`${where} has no "text"`)
      if (found.has(String(id))) return refuse(`${where} has the "_id" ${id} for the second time`)
      if (history !== undefined && !isListOfTexts(history))
        return refuse(`${where} has a "history" that is no list of texts`)
      found.set(String(id), {
        text,
        title: typeof title === 'string' ? title : '',
        ...(history && history.length > 0 ? { history } : {}),
      })
    }
    if (found.size === 0) refuse(`${file} is empty`)
    return found
  }

  const documents = await records('corpus.jsonl')
  const queries = await records('queries.jsonl')
  const judged = new Map<string, Map<string, number>>()
  let first = true
  for await (const [line, where] of linesOf('qrels.tsv')) {
    const [query = '', document = '', grade = ''] = line.split('\t').map((cell) => cell.trim())
    const isHeading = first && !isNumber(grade)
    first = false
    if (isHeading) continue
    if (!isNumber(grade)) refuse(`${where} is not a query, a document and a grade with tabs between`)
    if (!queries.has(query)) refuse(`${where} names the query ${query}, which queries.jsonl does not have`)
    if (!documents.has(document))
      refuse(`${where} names the document ${document}, which corpus.jsonl does not have`)
    const known = judged.get(query) ?? new Map<string, number>()
    judged.set(query, known.set(document, Number(grade)))
  }

  const answered = [...queries].flatMap(([id, { text, history }]) => {
    const grades = judged.get(id) ?? new Map<string, number>()
    return [...grades.values()].some((grade) => grade > 0)
      ? [{ id, text, judged: grades, ...(history ? { history } : {}) }]
      : []
  })
  if (answered.length === 0) refuse('qrels.tsv names no document that answers a query')
  return {
    name,
    documents: [...documents].map(([id, { title, text }]) => ({ id, title, text })),
    queries: answered,
  }
}

/** A line of `corpus.jsonl` or `queries.jsonl`. */
type Row = { text: string; title: string; history?: string[] }

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text))
