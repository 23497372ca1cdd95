import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { SluiceError } from '../kit/errors.ts'
import { readCollection } from './collection.ts'

const GOOD = {
  'corpus.jsonl': '{"_id": "a", "title": "Heron", "text": "waits"}\n\n{"_id": 2, "text": "swims"}\n',
  'queries.jsonl': '{"_id": "q1", "text": "who waits?"}\r\n{"_id": "q2", "text": "who flies?"}',
  'qrels.tsv': 'query-id\tcorpus-id\tscore\nq1\ta\t2\nq1\t2\t0\nq2\t2\t0\n',
}

/** A folder with the files of a good collection, but for what is given; undefined leaves a file out. */
function folderOf(
  t: TestContext,
  change: Partial<Record<keyof typeof GOOD, string | undefined>> = {},
): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-collection-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries({ ...GOOD, ...change }))
    if (content !== undefined) writeFileSync(path.join(folder, name), content)
  return folder
}

test('readCollection() gives documents, and the queries that a document answers', async (t) => {
  const folder = folderOf(t)
  assert.deepEqual(await readCollection(folder), {
    name: path.basename(folder),
    documents: [
      { id: 'a', title: 'Heron', text: 'waits' },
      { id: '2', title: '', text: 'swims' },
    ],
    queries: [
      {
        id: 'q1',
        text: 'who waits?',
        judged: new Map([
          ['a', 2],
          ['2', 0],
        ]),
      },
    ],
  })
})

test('readCollection() accepts a qrels.tsv without a heading', async (t) => {
  const { queries } = await readCollection(folderOf(t, { 'qrels.tsv': 'q2\t2\t1' }))
  assert.deepEqual(
    queries.map(({ id }) => id),
    ['q2'],
  )
})

test('readCollection() gives the earlier questions of a conversation [query:eval-history]', async (t) => {
  const rows = [
    { _id: 'q1', text: 'and when?', history: ['who waits?', 'where?'] },
    { _id: 'q2', text: 'who waits?', history: [] },
  ]
  const folder = folderOf(t, {
    'queries.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
    'qrels.tsv': 'q1\ta\t1\nq2\ta\t1',
  })
  const { queries } = await readCollection(folder)
  assert.deepEqual(
    queries.map(({ history }) => history),
    [['who waits?', 'where?'], undefined],
  )
})

const BAD: [what: Parameters<typeof folderOf>[1], reason: RegExp][] = [
  [{ 'corpus.jsonl': undefined }, /corpus\.jsonl is not there/],
  [{ 'qrels.tsv': undefined }, /qrels\.tsv is not there/],
  [{ 'queries.jsonl': '' }, /queries\.jsonl is empty/],
  [{ 'corpus.jsonl': '{"_id": "a", "text": "x"}\nnonsense' }, /line 2 of corpus\.jsonl is no JSON object/],
  [{ 'corpus.jsonl': '{"text": "x"}' }, /line 1 of corpus\.jsonl has no "_id"/],
  [{ 'queries.jsonl': '{"_id": "q1"}' }, /line 1 of queries\.jsonl has no "text"/],
  [
    { 'queries.jsonl': '{"_id": "q1", "text": "when?", "history": ["who?", 1]}' },
    /line 1 of queries\.jsonl has a "history" that is no list of texts/,
  ],
  [
    { 'corpus.jsonl': '{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}' },
    /line 2 of corpus\.jsonl has the "_id" a for the second time/,
  ],
  [{ 'qrels.tsv': 'q1\ta\t1\nq1 a 1' }, /line 2 of qrels\.tsv is not a query, a document and a grade/],
  [{ 'qrels.tsv': 'q9\ta\t1' }, /line 1 of qrels\.tsv names the query q9/],
  [{ 'qrels.tsv': 'q1\tz\t1' }, /line 1 of qrels\.tsv names the document z/],
  [{ 'qrels.tsv': 'q1\ta\t0' }, /names no document that answers/],
]

for (const [change, reason] of BAD)
  test(`readCollection() says that ${reason.source.replaceAll('\\', '')}`, async (t) => {
    await assert.rejects(
      readCollection(folderOf(t, change)),
      (error: unknown) =>
        error instanceof SluiceError && error.code === 'collection_invalid' && reason.test(error.message),
    )
  })
