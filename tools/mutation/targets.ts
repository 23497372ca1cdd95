/** A file that decides much in its area, and the tests that must notice when it is wrong: the quickest first. */
export type Target = { area: string; file: string; tests: readonly string[] }

const STORE_TESTS = ['test/contract/built-in-store.test.ts']

const FILES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    'src/kit/keyed-queue.ts': ['src/kit/keyed-queue.test.ts'],
    'src/upsert/source-comparison.ts': [
      'src/upsert/source-comparison-places.test.ts',
      'src/upsert/source-comparison-pairs.test.ts',
      'src/upsert/source-comparison.test.ts',
    ],
    'src/upsert/stager.ts': ['src/upsert/stager-batches.test.ts', 'src/upsert/stager.test.ts'],
    'src/db/sqlite/run-writes.ts': [
      'src/db/sqlite/run-writes-sweep.test.ts',
      'test/contract/ledgers.test.ts',
      ...STORE_TESTS,
    ],
    'src/vector/image.ts': [
      'src/vector/image.test.ts',
      'src/vector/image-aside.test.ts',
      'src/vector/scan-threads.test.ts',
    ],
    'src/vector/filter.ts': ['src/vector/filter.test.ts'],
    'src/vector/matches.ts': ['src/vector/matches.test.ts'],
    'src/vector/fusion.ts': ['src/vector/fusion.test.ts'],
  },
  postgres: {
    'src/db/postgres/publish.ts': ['test/postgres/publish.test.ts'],
    'src/db/postgres/sweep.ts': ['test/postgres/sweep.test.ts'],
  },
  keyword: {
    'src/keyword/top-passages.ts': [
      'src/keyword/top-passages-work.test.ts',
      'src/keyword/top-passages.test.ts',
    ],
    'src/keyword/tiers.ts': ['src/keyword/tiers.test.ts'],
    'src/keyword/count-among.ts': ['src/keyword/count-among.test.ts'],
    'src/keyword/id-runs.ts': ['src/keyword/id-runs.test.ts'],
  },
  retrieve: {
    'src/retrieve/settings.ts': ['src/retrieve/settings.test.ts'],
    'src/retrieve/answer.ts': [
      'src/retrieve/answer-choice.test.ts',
      'src/retrieve/answer-search.test.ts',
      'src/retrieve/run.test.ts',
      'src/retrieve/expected/find-expected.test.ts',
    ],
    'src/retrieve/confidence.ts': ['src/retrieve/confidence.test.ts'],
    'src/retrieve/confidence-features.ts': ['src/retrieve/confidence-features.test.ts'],
  },
  stores: {
    'src/stores/replica/replica.ts': [
      'src/stores/replica/replica.test.ts',
      'src/stores/replica/replica-life.test.ts',
    ],
    'src/stores/remote/narrowing.ts': ['src/stores/remote/narrowing.test.ts'],
    'src/stores/separate-engines.ts': ['src/stores/separate-engines.test.ts'],
  },
  jobs: {
    'src/jobs/submit.ts': ['src/jobs/submit.test.ts', 'src/jobs/submit-room.test.ts'],
  },
  access: {
    'src/server/access.ts': ['src/server/access.test.ts'],
    'src/server/caller.ts': ['src/server/caller.test.ts'],
    'src/callers/pins.ts': ['src/callers/pins.test.ts'],
    'src/callers/quotas.ts': ['src/callers/quotas.test.ts'],
  },
  server: {
    'src/server/door/hosts.ts': ['src/server/door/hosts.test.ts'],
    'src/server/session-cookie.ts': ['src/server/session-cookie.test.ts'],
    'src/server/quotas.ts': ['src/server/quotas.test.ts'],
  },
  blobs: {
    'src/blobs/s3-failure.ts': ['src/blobs/s3-failure.test.ts'],
    'src/blobs/s3-read.ts': ['src/blobs/s3-read.test.ts'],
  },
}

export const TARGETS: readonly Target[] = Object.entries(FILES).flatMap(([area, files]) =>
  Object.entries(files).map(([file, tests]) => ({ area, file, tests })),
)

/** The share of mutants that the tests of each file must kill, in percent. */
export const WANTED_PERCENT = 80
