import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { compareFlow } from '../../src/evaluation.ts'
import type { ComparisonOutcome } from '../../src/evaluate/comparison/outcome.ts'
import { sluice, temporaryDirectory } from '../support/command-line.ts'
import { comparedDocuments, comparedFlow, comparedQuestions } from '../support/compared-flow.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

/** The documents and questions of the tests as a collection, in the folder `estate`. */
function makeEstate(directory: string): string {
  const folder = path.join(directory, 'estate')
  mkdirSync(folder)
  const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const files = {
    'corpus.jsonl': lines(Object.entries(comparedDocuments()).map(([_id, text]) => ({ _id, text }))),
    'queries.jsonl': lines(comparedQuestions().map(({ text }, at) => ({ _id: `q${at}`, text }))),
    'qrels.tsv': comparedQuestions()
      .map(({ judgements }, at) => `q${at}\t${judgements[0]!.source}\t1\n`)
      .join(''),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content)
  return folder
}

test('sluice compare --collection compares over a folder without a server or data, and leaves nothing [compare:cli]', async (t) => {
  const directory = temporaryDirectory(t)
  makeEstate(directory)
  const data = ['--data-dir', path.join(directory, 'data')]
  const { code, stdout, stderr } = await sluice(
    ['compare', 'quickstart', '--variant', 'none:minScore=0.99', '--collection', 'estate', ...data],
    { directory, compareFlow },
  )
  assert.equal(code, 0, stderr)
  assert.match(
    stdout,
    /^32 questions, 32 documents\n\nvariant +nDCG@10 +recall@10 +first right +p50 ms +chunks +tokens/,
  )
  assert.match(stdout, /\nnone +0\.000 \(−\d\.\d\d\d\) +0\.000/)
  assert.match(stdout, /\nnone beside live .*\n(.* worse −\d\.\d\d\d\n)+and \d+ questions more\n/)
  assert.match(stdout, /\nnone: live is better: \+\S+ \(\S+ to \S+\), 32 questions\n$/)
  assert.ok(!existsSync(path.join(directory, 'data')))
  const asJson = await sluice(
    ['compare', 'quickstart', '--variant', 'same', '--collection', 'estate', '--json', ...data],
    { directory, compareFlow },
  )
  const outcome = JSON.parse(asJson.stdout) as ComparisonOutcome
  assert.deepEqual(
    outcome.variants.map(({ name, index }) => [name, index]),
    [
      ['live', 0],
      ['same', 0],
    ],
  )
  assert.deepEqual(outcome.variants[1]!.counts, {
    ...{ better: 0, worse: 0, same: 32, neither: outcome.variants[1]!.counts.neither },
  })
  const wrong = await sluice(
    ['compare', 'quickstart', '--variant', 'old:revision=1', '--collection', 'estate', ...data],
    { directory, compareFlow },
  )
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /The variant old cannot be compared: .* knows no revisions/)
})

test('sluice compare follows the job of a server and prints its verdicts [compare:cli]', async (t) => {
  const directory = temporaryDirectory(t)
  const flow = await comparedFlow(platform)
  const server = ['--url', platform.url, '--key', ADMIN_KEY]
  const { code, stdout, stderr } = await sluice(
    [
      'compare',
      flow,
      '--variant',
      'tiny:chunkSize=40',
      '--variant',
      'none:minScore=0.99',
      '--rows',
      '2',
      ...server,
    ],
    { directory },
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\ntiny: .*(better|unlikely|Cannot tell)/)
  assert.match(stdout, /\nnone: live is better: \+/)
  const refused = await sluice(['compare', flow, '--variant', 'wrong:chunkSise=40', ...server], { directory })
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    /The variant wrong cannot be compared: no node has the input chunkSise; did you mean chunkSize\?/,
  )
  const { body } = await platform.manage<{ data: { id: string }[] }>('GET', `/api/v1/jobs?kind=compare`)
  const shown = await sluice(['job', 'show', body.data[0]!.id, ...server], { directory })
  assert.match(shown.stdout, /none: live is better/)
})
