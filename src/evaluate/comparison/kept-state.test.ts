import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { type AnswerRow, openState } from './kept-state.ts'

const newFolder = (t: TestContext): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-state-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const row = (question: string): AnswerRow => ({
  question,
  answers: [{ place: 1, ndcg10: 1, recall10: 1, ms: 1, hit: null }],
  tokens: 3,
})

test('openState() has what was kept, but for a line that a killed process left open [compare:kill]', async (t) => {
  const folder = newFolder(t)
  const first = await openState(folder, 'a', () => 1000)
  await first.noteIndex('k', { documents: 2, failed: 0, chunks: 9, tokens: 40 })
  await first.noteRow(row('one'))
  const lines = readdirSync(folder).find((name) => name.endsWith('.jsonl'))!
  appendFileSync(path.join(folder, lines), '{"question":"two","answ')

  const second = await openState(folder, 'a', () => 2000)
  assert.deepEqual([first.isKept, second.isKept, second.startedAt], [false, true, 1000])
  assert.deepEqual([...second.indexes], [['k', { documents: 2, failed: 0, chunks: 9, tokens: 40 }]])
  assert.deepEqual(second.rows, [row('one')])
  await second.noteRow(row('two'))
  assert.deepEqual(
    (await openState(folder, 'a')).rows.map(({ question }) => question),
    ['one', 'two'],
  )
})

test('openState() uses nothing that was kept for other variants or questions', async (t) => {
  const folder = newFolder(t)
  const first = await openState(folder, 'a', () => 1000)
  await first.noteIndex('k', { documents: 2, failed: 0, chunks: 9, tokens: 40 })
  await first.noteRow(row('one'))
  const other = await openState(folder, 'b', () => 2000)
  assert.deepEqual([other.startedAt, other.indexes.size, other.rows.length], [2000, 0, 0])
})
