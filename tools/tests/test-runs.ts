import { globSync } from 'node:fs'
import path from 'node:path'

/** A file of tests; whether it runs on two servers over PostgreSQL instead of the embedded database, and in a process of its own. */
export type TestRun = { file: string; postgres: boolean; alone: boolean }

/**
 * The tests that run on both databases: those that reach the server over HTTP alone, and of the studio the ones where two servers
 * have to agree on what one of them was told (a session, a key, a running upsert, the list of documents), with one long way through
 * all screens. Other tests of the studio would prove over PostgreSQL what those of the routes prove.
 */
const ON_BOTH = [
  'test/api/**/*.test.ts',
  'test/studio/{access,documents,quickstart-by-mouse,session,upserts}.test.ts',
]

/**
 * Files of the API that run on the embedded database alone, because what they prove is decided before rows are asked for, or without
 * rows: PostgreSQL and a second server would prove it again. What is about rows, jobs, turns, owners, quotas and access runs on both.
 */
const EMBEDDED_ALONE: Record<string, readonly string[]> = {
  'the description of the API and its examples, which routes.test.ts sends on both': ['examples', 'openapi'],
  'the events service, which has no database': ['events', 'events-openapi', 'events-service'],
  'how requests are written, parsed and refused': [
    ...['clients', 'compression', 'limits', 'plain-messages', 'rate-limit', 'request-id', 'request-queue'],
    ...['robustness', 'stalled-readers', 'access-log', 'cut-connections', 'door', 'exposed'],
  ],
  'protocols of clients and providers': [
    ...['ai-sdk-client', 'chat-models', 'credential-test', 'mcp', 'model-lists', 'openai-client'],
    ...['providers', 'rerank', 'remote-stores', 'postgres-store', 'chat-providers', 'embedding-providers'],
    ...['provider-flows', 'search-services', 'speech', 'moderation'],
  ],
  'how long an engine is waited for that says nothing; engine-waits.test.ts shows on both what its jobs store':
    ['silent-engines'],
  'rows of other database servers, which the loader reads; what is stored of them is what is stored of a file':
    ['database-loaders'],
  'calls to other servers': ['agent-events', 'echoed-secrets', 'egress', 'endless-answers', 'request-tools'],
  'how files are read': ['loaders', 'mails', 'metadata-size', 'ocr', 'readings'],
  'a bucket that fails before rows are asked for': ['blob-store-away'],
  'what each route does with a kind of caller: routes, audit and pinned-keys.test.ts show on both what the rows do':
    [...['access', 'audit-routes', 'pinned-routes']],
  'what a drawing is': [
    ...['flow-problems', 'large-flows', 'nodes', 'retriever-tool', 'flow-check', 'flow-report'],
    'version-1-agents',
  ],
  'the files of the studio': ['studio'],
  'no platform, or one over the embedded database whatever the run is': [
    ...['bucket-away-at-start', 'github-loader', 'gmail', 'lifecycle', 'old-conversations', 'replicate'],
    ...['retention', 'search-results-loader', 'session-tokens', 'sql-database-chain'],
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
  'postgres:test/studio/access.test.ts',
  'test/studio/quickstart-by-mouse.test.ts',
  'postgres:test/studio/upserts.test.ts',
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
  const once = new Set(
    Object.values(EMBEDDED_ALONE)
      .flat()
      .map((name) => `test/api/${name}.test.ts`),
  )
  const both = filesOf(root, ON_BOTH).filter((file) => !once.delete(file))
  if (once.size > 0) throw new Error(`there is no ${[...once].join(', ')}: tools/tests/test-runs.ts`)
  const runs = [
    ...both.map((file) => run(file, true)),
    ...filesOf(root, ['test/**/*.test.ts']).map((file) => run(file, false)),
  ]
  const places = new Map(LONG.map((name, at) => [name, at]))
  const placeOf = (run: TestRun) => places.get(nameOf(run)) ?? LONG.length
  return runs.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const filesOf = (root: string, patterns: string[]): string[] =>
  globSync(patterns, { cwd: root, exclude: (name) => name.includes('node_modules') })
    .map((file) => file.split(path.sep).join('/'))
    .toSorted()
