/** A file of the core, and the tests that must notice when it is wrong: the quickest first. */
export type Target = { file: string; tests: readonly string[] }

const STORE_TESTS = ['test/contract/built-in-store.test.ts']

export const TARGETS: readonly Target[] = [
  { file: 'src/kit/turns.ts', tests: ['src/kit/turns.test.ts'] },
  { file: 'src/upsert/reconcile.ts', tests: ['src/upsert/reconcile.test.ts'] },
  { file: 'src/upsert/stager.ts', tests: ['src/upsert/stager-batches.test.ts', 'src/upsert/stager.test.ts'] },
  { file: 'src/db/sqlite/publish.ts', tests: ['src/db/sqlite/publish.test.ts', ...STORE_TESTS] },
  { file: 'src/db/sqlite/sweep.ts', tests: ['src/db/sqlite/sweep.test.ts', ...STORE_TESTS] },
  {
    file: 'src/vector/image.ts',
    tests: ['src/vector/image.test.ts', 'src/vector/image-aside.test.ts', 'src/vector/scan-threads.test.ts'],
  },
  { file: 'src/vector/filter.ts', tests: ['src/vector/filter.test.ts'] },
  { file: 'src/vector/matches.ts', tests: ['src/vector/matches.test.ts'] },
  { file: 'src/vector/fusion.ts', tests: ['src/vector/fusion.test.ts'] },
]

/** The share of mutants that the tests of each file must kill, in percent. */
export const WANTED_PERCENT = 80

/**
 * Changes that no test can notice, by the changed line as `file: before → after`, each with the reason. They are left out
 * of the figures.
 */
export const EQUIVALENT: Readonly<Record<string, string>> = {
  'src/db/sqlite/sweep.ts: if (rows.length < limit) rows.push(...abandonedChunks(connection, indexId, limit - rows.length)) → if (true) rows.push(...abandonedChunks(connection, indexId, limit - rows.length))':
    'with limit 0 the query finds nothing',
  'src/db/sqlite/sweep.ts: if (rows.length < limit) rows.push(...abandonedChunks(connection, indexId, limit - rows.length)) → if (rows.length <= limit) rows.push(...abandonedChunks(connection, indexId, limit - rows.length))':
    'with limit 0 the query finds nothing',
  "src/db/sqlite/sweep.ts: connection.get('SELECT 1 FROM chunks WHERE passage_id = ? LIMIT 1', passageId) === undefined → connection.get('SELECT 1 FROM chunks WHERE passage_id = ? LIMIT 1 + 1', passageId) === undefined":
    'get() takes the first row',
  'src/upsert/stager.ts: while (this.#held.chunks > 0 || this.#writes > 0) { → while (this.#held.chunks > 0 || this.#writes > (0 + 1)) {':
    'chunks are held until the end of their write',
}
