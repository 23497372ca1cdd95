import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { countsOf, skippedOf } from '../../tools/tests/run-file.ts'

const root = path.join(import.meta.dirname, '../..')

/** Runs a test file on a machine without the servers of the tests and without a browser. */
function runBare(file: string, environment: Record<string, string> = {}) {
  const nowhere = path.join(root, 'nowhere')
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: path.dirname(process.execPath),
      SLUICE_POSTGRES_BIN: nowhere,
      SLUICE_TEST_PGVECTOR: nowhere,
      SLUICE_CACHE: nowhere,
      SLUICE_TEST_DATABASE: '',
      ...environment,
    },
  })
  return { status, stderr, counts: countsOf(stdout), skipped: skippedOf(stdout) }
}

const NO_POSTGRES = { 'PostgreSQL is not there (tools/provide.sh)': 1 }
const OVER_POSTGRES = { SLUICE_TEST_DATABASE: 'postgres' }

for (const [name, file, environment, reasons] of [
  ['of the repositories', 'test/contract/postgres.test.ts', {}, NO_POSTGRES],
  ['of several servers', 'test/postgres/pooler.test.ts', {}, NO_POSTGRES],
  ['of the API over PostgreSQL', 'test/api/variables.test.ts', OVER_POSTGRES, NO_POSTGRES],
  [
    'of pgvector',
    'test/contract/pgvector.test.ts',
    {},
    { 'PostgreSQL with pgvector is not there (tools/provide.sh)': 1 },
  ],
  [
    'of a bucket',
    'test/api/bucket.test.ts',
    {},
    { 'the S3 server of the tests is not there (tools/provide.sh)': 1 },
  ],
  ['of the studio', 'test/studio/palette.test.ts', {}, { 'no Chromium is installed (tools/provide.sh)': 1 }],
] as const)
  test(`the tests ${name} are skipped with the reason on a machine that lacks what they need`, () => {
    const { status, stderr, counts, skipped } = runBare(file, environment)
    assert.equal(status, 0, stderr)
    assert.deepEqual([counts.tests, counts.skipped, skipped], [1, 1, reasons])
  })

test('a file of which some tests need a server runs the others', () => {
  const { status, stderr, counts } = runBare('test/contract/blob-shelf.test.ts')
  assert.equal(status, 0, stderr)
  assert.equal(counts.skipped, 1)
  assert.ok(counts.pass! > 5)
})
