import type { JobAnswer } from '../../src/api/job.ts'

/** A job as a server answers it, with the fields that a test gives. */
export const jobWith = (given: Partial<JobAnswer> = {}): JobAnswer => ({
  id: 'j-1',
  flowId: 'f-1',
  kind: 'upsert',
  state: 'running',
  attempt: 1,
  stage: null,
  files: { total: 1, done: 0, failed: 0, empty: 0 },
  chunks: { seen: 12, embedded: 0, written: 0 },
  nodes: [],
  rate: null,
  etaSeconds: null,
  result: null,
  error: null,
  createdAt: '2026-01-02T03:04:05.678Z',
  startedAt: null,
  finishedAt: null,
  ...given,
})
