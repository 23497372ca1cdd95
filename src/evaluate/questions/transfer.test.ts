import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../../contract/question-store.ts'
import { exportQuestions, readQuestions } from './transfer.ts'

const SOURCES = new Set(['a.txt', 'b.txt'])
const hasSource = async (source: string) => SOURCES.has(source)
const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const question = (id: string, judgements: Question['judgements']): Question => ({
  ...{ id, flowId: 'f', text: `What is ${id}?`, state: 'accepted', origin: 'hit', judgements },
  ...{ createdAt: 1, updatedAt: 1 },
})

test('an export that is imported gives the same questions', async () => {
  const questions = [
    question('1', [
      { source: 'a.txt', passage: { quote: 'Tabs\tand\nlines', start: 4, end: 18 }, grade: 2 },
      { source: 'b.txt', grade: 0 },
    ]),
    question('2', [{ source: 'a.txt', passage: { quote: 'Tabs\tand\nlines' }, grade: 1 }]),
  ]
  const files = await exportQuestions(questions, {
    text: async ({ source }) => ({ text: `All of ${source}`, total: 1, earlier: [], dropped: null }),
  })
  assert.match(files.corpus, /"text":"All of b\.txt"/)
  const read = await readQuestions(files, hasSource)
  const judgements = questions.map((one) => one.judgements)
  // One document of the corpus for one passage: the first place that is known stays.
  judgements[1] = [{ ...judgements[1]![0]!, passage: judgements[0]![0]!.passage! }]
  assert.deepEqual(read, {
    questions: questions.map(({ text }, at) => ({ text, judgements: judgements[at] })),
    ...{ missing: [], numUnjudged: 0, numUnreadable: 0, numDuplicates: 0 },
  })
})

test('documents are known by id or title; others are named, and what is left without a judgement is not taken', async () => {
  const read = await readQuestions(
    {
      corpus: lines({ _id: 'd1', title: 'a.txt', text: 'x' }, { _id: 'd2', title: 'gone.txt', text: 'x' }),
      queries: lines(
        { _id: 'q1', text: ' First? ' },
        { _id: 2, text: 'Second?' },
        { _id: 'q3', text: ' ' },
        { _id: 'q4', text: 'first?' },
        { _id: 'q5', text: 'Nobody judged it?' },
        { _id: 'q6', text: 'x'.repeat(2001) },
      ),
      qrels:
        '\uFEFFquery-id\tcorpus-id\tscore\r\nq1\td1\t1\r\nq1\tb.txt\t-1\r\n2\td2\t1\n2\tnone\t1\nq3\td1\t1\nq4\tb.txt\t2\n',
    },
    hasSource,
  )
  assert.deepEqual(read, {
    questions: [
      {
        text: 'First?',
        judgements: [
          { source: 'a.txt', grade: 1 },
          { source: 'b.txt', grade: 0 },
          { source: 'b.txt', grade: 2 },
        ],
      },
    ],
    missing: ['d2', 'none'],
    ...{ numUnjudged: 2, numUnreadable: 2, numDuplicates: 1 },
  })
})

test('a line that cannot be read is named', async () => {
  const queries = lines({ _id: 'q', text: 'What?' })
  for (const [files, reason] of [
    [{ queries: 'no JSON\n', qrels: '' }, 'line 1 of queries.jsonl is no JSON object'],
    [{ queries: lines({ text: 'What?' }), qrels: '' }, 'line 1 of queries.jsonl has no "_id"'],
    [{ queries: queries + queries, qrels: '' }, 'line 2 of queries.jsonl has the "_id" of a line before it'],
    [
      { queries, qrels: 'q\ta.txt\t1\nq\ta.txt\n' },
      'line 2 of qrels.tsv is not a query, a document and a grade with tabs between',
    ],
    [
      { queries, qrels: 'other\ta.txt\t1\n' },
      'line 1 of qrels.tsv names a query that queries.jsonl does not have',
    ],
  ] as const)
    await assert.rejects(readQuestions(files, hasSource), {
      code: 'questions_invalid',
      message: `The questions cannot be imported: ${reason}`,
    })
})
