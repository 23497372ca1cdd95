import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { countsOf, failuresOf, skippedOf } from './run-file.ts'
import { allRuns, LONG, nameOf } from './test-runs.ts'

const root = path.join(import.meta.dirname, '../..')

test('allRuns() has each file of test/ once, some on both databases, and the long ones first', () => {
  const names = allRuns(root).map(nameOf)
  assert.deepEqual(names.slice(0, LONG.length), LONG)
  assert.equal(new Set(names).size, names.length)
  for (const name of [
    'test/api/query.test.ts',
    'postgres:test/api/query.test.ts',
    'test/studio/session.test.ts',
    'postgres:test/studio/session.test.ts',
    'test/contract/replicas.test.ts',
  ])
    assert.ok(names.includes(name), name)
  assert.ok(!names.some((name) => name.includes('node_modules') || name.startsWith('postgres:test/contract')))
})

test('allRuns() runs no file on both databases that decides by itself for one, or starts no platform', () => {
  for (const { file, postgres } of allRuns(root)) {
    if (!postgres || !file.startsWith('test/api/')) continue
    const code = readFileSync(path.join(root, file), 'utf8')
    const count = (text: string) => code.split(text).length - 1
    const isDecidedByRun = count('makePlatform(') > count('embedded: true')
    assert.ok(
      isDecidedByRun,
      `${file} proves nothing more over PostgreSQL: ON_BOTH of tools/tests/test-runs.ts`,
    )
  }
})

test('countsOf() reads the counts at the end of a report, and none where the process ended before', () => {
  const report = '✔ a test (1ms)\nℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ duration_ms 12.5\n'
  assert.deepEqual(countsOf(report), { tests: 3, pass: 2, fail: 1 })
  assert.deepEqual(countsOf('✔ a test (1ms)\n'), {})
})

test('failuresOf() has what the report says of failed tests, and the end of another output', () => {
  const failures = '✖ failing tests:\n\ntest at a.test.ts:1:1\n✖ a test (1ms)\n  expected 1\n'
  assert.equal(failuresOf(`✔ another (1ms)\n${failures}`), failures)
  assert.equal(failuresOf(`${'.'.repeat(9000)}ended with SIGKILL`).slice(-18), 'ended with SIGKILL')
})

test('skippedOf() counts skipped tests by their reason', () => {
  const report =
    '✔ a test (1ms)\n﹣ another (0.5ms) # no corpus\n  ﹣ inner (one) (0.1ms) # no corpus\n﹣ last (2ms) # no server\n' +
    'ℹ skipped 3\n\n✖ failing tests:\n\n﹣ last (2ms) # no server\n'
  assert.deepEqual(skippedOf(report), { 'no corpus': 2, 'no server': 1 })
  assert.deepEqual(skippedOf('✔ a test (1ms)\n'), {})
})
