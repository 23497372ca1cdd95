import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { evaluateFlow } from '../../src/evaluation.ts'
import { sluice, temporaryDirectory } from '../support/command-line.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { makeCollection } from '../support/small-collection.ts'

const platform = await makePlatform()

test('sluice eval works without a server or data, prints a table and writes a page [query:eval]', async (t) => {
  const directory = temporaryDirectory(t)
  makeCollection(directory)
  const { code, stdout, stderr } = await sluice(
    ['eval', 'quickstart', 'birds', '--data-dir', path.join(directory, 'data')],
    { directory, evaluateFlow },
  )
  assert.equal(code, 0, stderr)
  assert.match(
    stdout,
    /^birds {2}2 documents, 2 chunks, 1 query\n\nsearch +nDCG@10 +recall@10 +recall@100 +MRR@10/,
  )
  assert.match(stdout, /hybrid +1\.000/)
  assert.match(stdout, /best weight 0\.4 \(nDCG@10 1\.000\); the flow uses 0\.4\n/)
  assert.match(stdout, /AUROC/)
  assert.match(
    stdout,
    /\nconfidence +first hits +mean +right\n(\d\.\d to \d\.\d .*\n)+\n100\.0 % of the questions have a confidence\./,
  )
  assert.equal(stderr, 'The page with the plot is eval-quickstart-birds.html\n')
  assert.match(readFileSync(path.join(directory, 'eval-quickstart-birds.html'), 'utf8'), /<svg/)
  assert.ok(!existsSync(path.join(directory, 'data')))
})

test('sluice eval --json prints the figures and writes no page unless asked to [query:eval]', async (t) => {
  const directory = temporaryDirectory(t)
  const folder = makeCollection(directory)
  const args = ['eval', 'quickstart', folder, '--json', '--data-dir', path.join(directory, 'data')]
  const { stdout } = await sluice(args, { directory, evaluateFlow })
  const figures = JSON.parse(stdout) as Record<string, Record<string, number>>
  const { collection, documents, queries, bestWeight } = figures
  assert.deepEqual(
    { collection, documents, queries, bestWeight },
    { collection: 'birds', documents: 2, queries: 1, bestWeight: 0.4 },
  )
  for (const mode of ['vector', 'keyword', 'hybrid'])
    assert.deepEqual(Object.keys(figures[mode]!).sort(), [
      'mrr10',
      'ndcg10',
      'p50Ms',
      'p99Ms',
      'recall10',
      'recall100',
      'reliability',
    ])
  assert.ok(!existsSync(path.join(directory, 'eval-quickstart-birds.html')))
  await sluice([...args, '--page', 'my.html'], { directory, evaluateFlow })
  assert.ok(existsSync(path.join(directory, 'my.html')))
})

test('sluice eval takes a flow from its data directory or its server, and leaves what it holds alone [query:eval]', async (t) => {
  const directory = temporaryDirectory(t)
  makeCollection(directory)
  const flow = await platform.flow({ name: 'Mine', store: { weight: 0.25 } })
  await platform.upload(flow, { 'own.txt': 'A text of its own.' })
  const before = await platform.call('GET', `/api/v1/vector/sources/${flow}`)
  for (const from of [
    ['--data-dir', platform.dataDirectory],
    ['--url', platform.url, '--key', ADMIN_KEY],
  ]) {
    const { code, stdout, stderr } = await sluice(['eval', flow, 'birds', '--json', ...from], {
      directory,
      evaluateFlow,
    })
    assert.equal(code, 0, stderr)
    assert.equal((JSON.parse(stdout) as { weight: number }).weight, 0.25)
  }
  assert.deepEqual((await platform.call('GET', `/api/v1/vector/sources/${flow}`)).body, before.body)
})

test('sluice eval names what is wrong with a collection, a flow or the path of the page [query:eval]', async (t) => {
  const directory = temporaryDirectory(t)
  makeCollection(directory)
  const run = (...args: string[]) =>
    sluice(['eval', ...args, '--data-dir', path.join(directory, 'data')], { directory, evaluateFlow })
  const cases: [args: string[], complaint: RegExp][] = [
    [['quickstart', 'nowhere'], /The collection nowhere cannot be used: corpus\.jsonl is not there/],
    [['mine', 'birds'], /Chatflow mine not found\n.*--data-dir/],
    [['quickstart', 'birds', '--page', 'no/such/folder.html'], /The page .* cannot be written/],
  ]
  for (const [args, complaint] of cases) {
    const { code, stderr } = await run(...args)
    assert.deepEqual([code, complaint.test(stderr)], [1, true], stderr)
  }
})
