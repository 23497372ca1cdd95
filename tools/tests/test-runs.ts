import { globSync } from 'node:fs'
import path from 'node:path'

/** A file of tests; whether it runs on two servers over PostgreSQL instead of the embedded database, and in a process of its own. */
export type TestRun = { file: string; postgres: boolean; alone: boolean }

const ofApi = (name: string): string => `api/${name}`

/**
 * The tests that run on two servers over PostgreSQL too, by what that proves beside the embedded database. All statements of both databases
 * pass the same suites (`test/contract/repositories.ts`, `test/contract/ledgers.test.ts`, those of the stores), and `test/postgres` shows
 * what members do to each other: a test that is about neither rows that several requests share nor what another member has in memory
 * would prove over PostgreSQL what it proves here.
 */
const ON_BOTH: Record<string, readonly string[]> = {
  'each route once': ['api/routes'],
  'which rows a caller sees and changes': [
    ...['pinned-keys', 'invisible', 'conversation-owners', 'removed-sources', 'originals', 'chunk-edits'],
    ...['chunks', 'query'],
  ].map(ofApi),
  'a run after another one, and jobs: their places, states and ends': [
    ...['upsert', 'sources', 'reindex', 'jobs', 'queue', 'quotas', 'failed-files', 'run-records'],
  ].map(ofApi),
  'what one member changes and another one has in memory': [
    ...['apikey', 'audit', 'chatflows', 'credentials', 'deleted-flows', 'document-stores', 'dropped'],
    ...['executions', 'flow-drafts', 'flow-revisions', 'keys-deleted-meanwhile', 'prediction', 'session'],
    ...['variables'],
  ].map(ofApi),
  'the server itself': ['bucket', 'export-import', 'metrics', 'readiness'].map(ofApi),
  'the studio of two members: a session, and the long way through all screens with an upsert': [
    'studio/session',
    'studio/quickstart-by-mouse',
  ],
}

/**
 * The runs that take longest, the longest first: with them at the end, processors would have nothing to do. `npm test` prints how
 * long each took.
 */
export const LONG: readonly string[] = [
  'test/studio/screens.test.ts',
  'test/studio/forms.test.ts',
  'test/e2e/stalls.test.ts',
  'test/e2e/deleted-flow-crash.test.ts',
  'test/e2e/crash.test.ts',
  'test/e2e/cli.test.ts',
  'test/contract/memory-growth.test.ts',
  'test/contract/elasticsearch.test.ts',
  'test/e2e/damaged-database.test.ts',
  'test/api/routes.test.ts',
  'postgres:test/api/routes.test.ts',
  'test/e2e/patterns.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/bucket.test.ts',
  'test/postgres/jobs-of-members.test.ts',
  'test/contract/vector-image-files.test.ts',
  'test/postgres/cluster.test.ts',
  'test/studio/editing.test.ts',
  'test/studio/upserts.test.ts',
  'test/studio/quickstart-by-mouse.test.ts',
  'test/studio/access.test.ts',
  'postgres:test/api/pinned-keys.test.ts',
  // Not beside the browsers that are first: it stops and kills three servers, which need their processor time.
  'test/postgres/chaos.test.ts',
  // Three processes of Java.
  'test/e2e/engine-chaos.test.ts',
  'test/corpus/retrieval.test.ts',
  'test/corpus/openapi.test.ts',
  'test/api/invisible.test.ts',
  'postgres:test/api/invisible.test.ts',
  'test/contract/same-answers.test.ts',
]

/**
 * The files that share processes: those whose servers run in the process of the test, for which loading the product takes a second and
 * a half of a processor. Not the ones that measure its memory. Those that start the server as a program, or long evaluations, gain
 * nothing by it.
 */
const SHARING = /^test\/(api|contract|studio)\/(?!.*memory|connection)/

/** The files that start the program, most of them often. */
export const STARTS_PROGRAM = /^test\/(e2e|postgres)\//

/** `postgres:` and the file for a run over PostgreSQL. */
export const nameOf = ({ file, postgres }: TestRun): string => (postgres ? `postgres:${file}` : file)

/** All runs of the files below `test/`, in the order in which they start. */
export function allRuns(root: string): TestRun[] {
  const run = (file: string, postgres: boolean) => ({ file, postgres, alone: !SHARING.test(file) })
  const files = filesOf(root, ['test/**/*.test.ts'])
  const both = Object.values(ON_BOTH)
    .flat()
    .map((name) => `test/${name}.test.ts`)
  const missing = both.filter((file) => !files.includes(file))
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}: tools/tests/test-runs.ts`)
  const runs = [...both.map((file) => run(file, true)), ...files.map((file) => run(file, false))]
  const places = new Map(LONG.map((name, at) => [name, at]))
  const placeOf = (run: TestRun) => places.get(nameOf(run)) ?? LONG.length
  return runs.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const filesOf = (root: string, patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') })
    .map((file) => file.split(path.sep).join('/'))
    .toSorted()
