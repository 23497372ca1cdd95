import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { EvalRunHead } from '../../src/api/question.ts'
import { sluice, temporaryDirectory } from '../support/command-line.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

/** The questions of a flow at the command line (issue "See why, change it, know that it got better", point 4). */

const platform = await makePlatform()
const loaded = await platform.upload('quickstart', {
  'ferry.txt': 'The ferry to Bergen leaves at noon. Dogs are welcome on the upper deck of the old ferry.',
  'tea.txt': 'Water for green tea has eighty degrees, and the leaves stay in it for two short minutes.',
})
assert.equal(loaded.status, 200, loaded.text)
const server = ['--url', platform.url, '--key', ADMIN_KEY]

test('questions are imported, asked, listed and exported; what is missing is named', async (t) => {
  const directory = temporaryDirectory(t)
  const folder = path.join(directory, 'mine')
  mkdirSync(folder)
  const put = (file: string, ...rows: object[]) =>
    writeFileSync(path.join(folder, file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  put('queries.jsonl', { _id: 1, text: 'When does the ferry leave?' }, { _id: 2, text: 'Where is it lost?' })
  put('corpus.jsonl', { _id: 'd1', title: 'ferry.txt', text: 'x' }, { _id: 'd9', title: 'other', text: 'x' })
  writeFileSync(path.join(folder, 'qrels.tsv'), 'q\td\tscore\n1\td1\t1\n2\tlost.pdf\t1\n')
  const imported = await sluice(['question', 'import', 'quickstart', 'mine', ...server], { directory })
  assert.equal(imported.code, 1)
  assert.equal(imported.stdout, '1 new question\n1 without a judgement that is left, not taken\n')
  assert.match(imported.stderr, /The store has no document: lost\.pdf\n/)

  const asked = await sluice(['eval', 'quickstart', ...server], { directory })
  assert.equal(asked.code, 0, asked.stderr)
  assert.match(asked.stdout, /^nDCG@10 1\.000 {2}recall@10 1\.000 {2}right first 1\.000 {2}p50 [\d.]+ ms/)
  assert.match(asked.stdout, /\n1 question of revision 1 in /)

  const listed = await sluice(['question', 'list', 'quickstart', ...server], { directory })
  assert.match(listed.stdout, /When does the ferry leave\? +ferry\.txt +import/)
  const none = await sluice(['question', 'list', 'quickstart', '--proposed', ...server], { directory })
  assert.equal(none.stderr, 'The flow has no proposed question.\n')
  const proposed = await sluice(['question', 'propose', 'quickstart', '--limit', '5', ...server], {
    directory,
  })
  assert.match(proposed.stdout, /^\d new proposals?: accept those that fit under Questions\n$/)
  const wrong = await sluice(['question', 'propose', 'quickstart', '--limit', '0', ...server], { directory })
  assert.equal(wrong.code, 1)

  const exported = await sluice(['question', 'export', 'quickstart', 'out', ...server], { directory })
  assert.equal(exported.stdout, '1 question in out\n')
  assert.match(readFileSync(path.join(directory, 'out', 'qrels.tsv'), 'utf8'), /\tferry\.txt\t1\n$/)
})

test('sluice eval FLOW ends with 1 when a question fails that passed, and its job can be shown', async (t) => {
  const directory = temporaryDirectory(t)
  await sluice(['eval', 'quickstart', ...server], { directory })
  await platform.manage('PATCH', '/api/v1/chatflows/quickstart/settings', {
    set: { filter: '{"source":"tea.txt"}' },
  })
  const { code, stdout } = await sluice(['eval', 'quickstart', ...server], { directory })
  assert.equal(code, 1)
  assert.match(stdout, /1 question failed that passed before\n/)
  assert.match(stdout, /When does the ferry leave\? +1 +– +0\.000 +worse\n/)
  const json = await sluice(['eval', 'quickstart', '--json', ...server], { directory })
  assert.equal(json.code, 0, 'it failed before, too')
  const answer = JSON.parse(json.stdout) as { jobId: string; run: string; results: { change: string }[] }
  assert.deepEqual(
    answer.results.map(({ change }) => change),
    ['same'],
  )
  const shown = await sluice(['job', 'show', answer.jobId, ...server], { directory })
  assert.match(shown.stdout, /nDCG@10 0\.000/)
  const { body } = await platform.manage<{ data: EvalRunHead[] }>('GET', '/api/v1/eval/quickstart/runs')
  assert.equal(body.data[0]?.id, answer.run)
})
