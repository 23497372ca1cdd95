import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobFile, JobRecord } from '../../contract/job.ts'
import { newJobId } from '../job-fence.ts'
import { fileOutcomesOf } from './work.ts'

const FENCE = 'a'.repeat(32)

const file = (name: string, state: JobFile['state'], given: Partial<JobFile> = {}): JobFile => ({
  ...{ name, state, chunks: 0, added: 0, updated: 0, skipped: 0, deleted: 0, warnings: [], ms: 1 },
  ...given,
})

const job = (given: { kind?: JobRecord['kind']; chatId?: string; fence?: string } = {}) => ({
  record: {
    id: newJobId(given.fence),
    kind: given.kind ?? 'upsert',
    namespace: 'space',
  } as JobRecord,
  origin: { uploads: new Set(['a.pdf']), chatId: given.chatId },
  files: [
    file('a.pdf', 'failed', { code: 'file_encrypted', message: 'secret' }),
    file('https://a.test/', 'failed'),
    file('b.txt', 'indexed'),
    file('c.txt', 'empty'),
  ],
})

test('fileOutcomesOf() tells which files failed, and which are loaded', () => {
  const { failed, loaded, ...scope } = fileOutcomesOf(job(), 'done', null)!
  assert.deepEqual(scope, { namespace: 'space', fence: '' })
  assert.deepEqual(
    failed.map(({ name, code, uploaded }) => [name, code, uploaded]),
    [
      ['a.pdf', 'file_encrypted', true],
      ['https://a.test/', null, false],
    ],
  )
  assert.deepEqual(loaded, ['b.txt', 'c.txt'])
})

test('fileOutcomesOf() counts no file of a failed job as loaded', () => {
  const { failed, loaded } = fileOutcomesOf(job(), 'failed', null)!
  assert.deepEqual([failed.length, loaded], [2, []])
})

test('fileOutcomesOf() keeps the files of a fence apart', () => {
  const { fence, failed } = fileOutcomesOf(job({ fence: FENCE }), 'done', null)!
  assert.equal(fence, FENCE)
  assert.ok(failed[0]!.source.includes(FENCE) && failed[0]!.source.endsWith('a.pdf'))
})

test('fileOutcomesOf() reads the result of a job whose process ended before its end was stored', () => {
  const { files: _, ...rest } = job()
  const result = {
    files: [
      { name: 'a.pdf', status: 'failed', code: 'x', message: 'y' },
      { name: 'b', status: 'indexed' },
    ],
  }
  const { failed, loaded } = fileOutcomesOf({ ...rest, files: undefined }, 'done', result)!
  assert.deepEqual([failed[0]!.name, loaded], ['a.pdf', ['b']])
})

test('fileOutcomesOf() tells nothing of cancelled jobs, other work, and files of a conversation', () => {
  assert.equal(fileOutcomesOf(job(), 'cancelled', null), undefined)
  assert.equal(fileOutcomesOf(job({ kind: 'dryRun' }), 'done', null), undefined)
  assert.equal(fileOutcomesOf(job({ chatId: 'c' }), 'done', null), undefined)
  assert.equal(fileOutcomesOf({ ...job(), files: undefined }, 'done', {}), undefined)
})
