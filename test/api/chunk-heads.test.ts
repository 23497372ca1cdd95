import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueryAnswer } from '../../src/api/query-answer.ts'
import type { SourceTextAnswer } from '../../src/api/source.ts'
import { makePlatform } from '../support/platform.ts'

/** What is above a chunk in its document is searched with it, and is no part of its text. */
const platform = await makePlatform()

const sentences = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => `The ${word} is checked on day ${n} of the month.`).join(' ')

const MANUAL = `# Manual\n\n${sentences('gauge', 14)}\n\n## Zanzibar pump\n\n${sentences('valve', 80)}\n\n## Other\n\n${sentences('lamp', 9)}\n`
const CODE = `class Heron:\n    def quarrel(self, a):\n${'        self.legs.lift(a, 1)\n'.repeat(70)}`

await platform.upload('quickstart', { 'manual.md': MANUAL, 'src/birds.py': CODE })

const query = async (question: string, more: object = {}) =>
  (
    await platform.manage<QueryAnswer>('POST', '/api/v1/vector/query/quickstart', {
      query: question,
      topK: 8,
      ...more,
    })
  ).body.docs

for (const mode of ['keyword', 'hybrid'])
  test(`a chunk is found by the heading above it, ${mode} [splitter:sluice:head]`, async () => {
    const docs = await query('Zanzibar', { mode })
    const below = docs.filter(({ pageContent }) => pageContent.includes('valve'))
    assert.ok(below.length >= 3)
    assert.equal(below.filter(({ pageContent }) => pageContent.includes('Zanzibar')).length, 1)
    for (const { metadata } of below) assert.deepEqual(metadata.headings, ['Manual', 'Zanzibar pump'])
    for (const doc of docs) assert.ok(!('passage' in doc))
  })

test('a chunk of code is found by the names of its file, class and function [splitter:sluice:head]', async () => {
  for (const name of ['birds', 'Heron', 'quarrel']) {
    const docs = await query(name, { mode: 'keyword' })
    assert.ok(docs.length >= 2, name)
    for (const { pageContent, metadata } of docs) {
      assert.equal(metadata.source, 'src/birds.py')
      assert.ok(
        pageContent.trimStart().startsWith('class') || pageContent.trimStart().startsWith('self.legs'),
      )
    }
  }
})

test('the text of a document is that of the document, without heads [splitter:sluice:head, sources:text]', async () => {
  for (const [source, wanted] of [
    ['manual.md', MANUAL],
    ['src/birds.py', CODE],
  ] as const) {
    const { body } = await platform.manage<SourceTextAnswer>(
      'GET',
      `/api/v1/vector/sources/quickstart/text?${new URLSearchParams({ source, length: '100000' })}`,
    )
    assert.equal(body.total, wanted.length)
    assert.equal(body.text.replaceAll(/\s+/g, ' ').trim(), wanted.replaceAll(/\s+/g, ' ').trim())
  }
})

test('an unchanged document is skipped, and a heading that changes is a change of the chunks below it [splitter:sluice:head]', async () => {
  type Upserted = { numAdded: number; numUpdated: number; numSkipped: number; numDeleted: number }
  const load = async (text: string) =>
    (await platform.upload('quickstart', { 'manual.md': text })).body as unknown as Upserted
  const again = await load(`${MANUAL} `)
  assert.deepEqual([again.numAdded, again.numUpdated, again.numDeleted], [0, 0, 0])
  const renamed = await load(MANUAL.replace('Zanzibar', 'Pemba'))
  assert.ok(renamed.numAdded >= 4 && renamed.numDeleted === renamed.numAdded)
  assert.ok(renamed.numSkipped >= 1)
  assert.deepEqual(
    (await query('Zanzibar', { mode: 'keyword' })).map(({ metadata }) => metadata.source),
    [],
  )
  assert.ok((await query('Pemba', { mode: 'keyword' })).length >= 4)
})

test('heads stay when a flow is reindexed [splitter:sluice:head]', async () => {
  const before = await query('Pemba', { mode: 'keyword' })
  const { status } = await platform.manage('POST', '/api/v1/vector/reindex/quickstart')
  assert.equal(status, 200)
  assert.deepEqual(await query('Pemba', { mode: 'keyword' }), before)
})
