import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Collection, readCollection } from '../src/evaluate/collection.ts'
import { wordsIn } from '../src/retrieve/question-kind.ts'

/*
 * Collections with questions of about 50 words, made of those below SLUICE_CORPUS/retrieval, always the same ones:
 *
 *   node bench/long-questions.ts FOLDER
 *   SLUICE_CORPUS=FOLDER node bench/eval.ts
 *
 * - NAME.neighbours: the question is the first 50 words of a passage of an article. The other passages of the article
 *   answer it, and the passage itself is left out of the collection.
 * - NAME.context: a question after the beginning of the passage before the one that answers it.
 * - NAME.questions: the questions that one document answers, one after another.
 */

const WORDS = 50
/** Questions with fewer words are left out. */
const LEAST_WORDS = 40
const QUESTIONS = 500
/** A collection with fewer questions is not written. */
const LEAST_QUESTIONS = 20
/** An article with fewer passages gives no question of its neighbours. */
const LEAST_PASSAGES = 4
const QUESTIONS_PER_ARTICLE = 8

type Query = Collection['queries'][number]
/** `quoted`: by the id of a question, the passage whose beginning is in it. */
export type Made = {
  documents: Collection['documents']
  queries: Query[]
  quoted?: ReadonlyMap<string, string>
}

const WITHOUT_SPACES = /[\u3041-\u30ff\u3400-\u9fff]/g

const firstWords = (text: string, count: number): string =>
  text.search(WITHOUT_SPACES) >= 0
    ? text.slice(0, 2 * count)
    : (text.match(/\S+\s*/g) ?? []).slice(0, count).join('')

function neighbours({ documents }: Collection): Made {
  const queries: Query[] = []
  const articles = Map.groupBy(
    documents.filter(({ title }) => title !== ''),
    ({ title }) => title,
  )
  for (const [title, passages] of articles) {
    if (passages.length < LEAST_PASSAGES) continue
    const step = Math.max(LEAST_PASSAGES, Math.floor(passages.length / QUESTIONS_PER_ARTICLE))
    const asked = passages.filter((_, at) => at % step === 0)
    const rest = passages.filter((_, at) => at % step !== 0)
    for (const { id, text } of asked)
      queries.push({
        id,
        text: firstWords(text.startsWith(title) ? text.slice(title.length) : text, WORDS),
        judged: new Map(rest.map((passage) => [passage.id, 1])),
      })
  }
  const asked = new Set(queries.map(({ id }) => id))
  return { documents: documents.filter(({ id }) => !asked.has(id)), queries }
}

function context({ documents, queries: asked }: Collection): Made {
  const places = new Map(documents.map(({ id }, at) => [id, at]))
  const first = Map.groupBy(asked, answerOf)
  const quoted = new Map<string, string>()
  const queries = [...first].flatMap(([answer, [query]]): Query[] => {
    const at = places.get(answer)!
    const before = documents[at - 1]
    if (!query || !before || before.title === '' || before.title !== documents[at]!.title) return []
    quoted.set(query.id, before.id)
    return [{ ...query, text: `${firstWords(before.text, WORDS - wordsIn(query.text))} ${query.text}` }]
  })
  return { documents, queries, quoted }
}

function questions({ documents, queries: asked }: Collection): Made {
  const queries = [...Map.groupBy(asked, answerOf)].map(([answer, all]): Query => {
    let text = ''
    for (const query of all) if (wordsIn(text) < WORDS) text = `${text} ${query.text}`.trim()
    return { id: answer, text, judged: new Map([[answer, 1]]) }
  })
  return { documents, queries: queries.filter(({ text }) => wordsIn(text) >= LEAST_WORDS) }
}

/** The first document that answers a question. */
const answerOf = ({ judged }: Query): string => [...judged].find(([, grade]) => grade > 0)![0]

async function write(folder: string, { documents, queries }: Made): Promise<void> {
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await mkdir(folder, { recursive: true })
  await writeFile(
    path.join(folder, 'corpus.jsonl'),
    lines(documents.map(({ id, title, text }) => ({ _id: id, title, text }))),
  )
  await writeFile(
    path.join(folder, 'queries.jsonl'),
    lines(queries.map(({ id, text }) => ({ _id: id, text }))),
  )
  const grades = queries.flatMap(({ id, judged }) =>
    [...judged].map(([document, grade]) => `${id}\t${document}\t${grade}\n`),
  )
  await writeFile(path.join(folder, 'qrels.tsv'), `query\tdocument\tgrade\n${grades.join('')}`)
}

export const LONG_QUESTIONS: Record<'neighbours' | 'context' | 'questions', (of: Collection) => Made> = {
  neighbours,
  context,
  questions,
}

/** Makes the collections of each kind below `target`/retrieval. */
export async function makeLongQuestions(corpus: string, target: string): Promise<void> {
  const folder = path.join(corpus, 'retrieval')
  for (const name of (await readdir(folder)).toSorted()) {
    const collection = await readCollection(path.join(folder, name))
    for (const [kind, make] of Object.entries(LONG_QUESTIONS)) {
      const { documents, queries } = make(collection)
      if (queries.length < LEAST_QUESTIONS) continue
      await write(path.join(target, 'retrieval', `${name}.${kind}`), {
        documents,
        queries: queries.slice(0, QUESTIONS),
      })
      console.log(`${name}.${kind}: ${Math.min(QUESTIONS, queries.length)} questions`)
    }
  }
}

if (import.meta.main) {
  const [target] = process.argv.slice(2)
  const corpus = process.env.SLUICE_CORPUS
  if (target === undefined || corpus === undefined)
    console.log('usage: SLUICE_CORPUS=… node bench/long-questions.ts FOLDER')
  else await makeLongQuestions(corpus, target)
}
