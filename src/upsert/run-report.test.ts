import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SluiceError } from '../kit/errors.ts'
import { RunReport } from './run-report.ts'

const encrypted = (file: string) => new SluiceError('file_encrypted', { file })

test('throwFailure() throws the failure of the first failed item, whichever failed first in time', () => {
  const report = new RunReport([], false)
  report.indexed(0, 'a', 1)
  report.failure(2, 'c', encrypted('c'))
  report.failure(1, 'b', encrypted('b'))
  assert.equal(report.failed, 2)
  report.throwFailure(false)
  assert.throws(() => report.throwFailure(true), { code: 'file_encrypted', facts: { file: 'b' } })
})

test('throwFailure() throws where every item failed, also in a run that is not strict', () => {
  const report = new RunReport([], false)
  report.throwFailure(true)
  report.failure(0, 'a', encrypted('a'))
  assert.throws(() => report.throwFailure(false), { code: 'file_encrypted' })
  report.empty(1, 'b', undefined)
  report.throwFailure(false)
})

test('result() has the outcomes in the order of items, the counters, and the warnings of plan and run', () => {
  const report = new RunReport([{ key: 'topK', reason: 'no effect' }], false)
  report.failure(2, 'c', encrypted('c'))
  report.unchanged(1, 'b', { chunks: 3 })
  report.empty(0, 'a', 'the file is empty')
  report.warnOnce('embeddings', 'cut')
  report.warnOnce('embeddings', 'cut')
  const result = report.result(10, 4, false)
  assert.deepEqual(
    result.files.map(({ name, status, skipped }) => [name, status, skipped]),
    [
      ['a', 'empty', 0],
      ['b', 'unchanged', 3],
      ['c', 'failed', 0],
    ],
  )
  const { numSkipped, numDeleted, numFailed, totalKeys, warnings } = result
  assert.deepEqual([numSkipped, numDeleted, numFailed, totalKeys], [3, 4, 1, 6])
  assert.deepEqual(
    warnings.map(({ key }) => key),
    ['topK', 'a', 'embeddings'],
  )
  assert.equal('dryRun' in result, false)
  assert.equal(report.result(0, 0, true).dryRun, true)
})

test('result() shows no document of an item that failed', () => {
  const report = new RunReport([], true)
  const document = (pageContent: string) => ({ pageContent, metadata: {} })
  report.show(0, document('lost'), true)
  report.show(1, document('kept'), false)
  report.failure(0, 'a', encrypted('a'))
  report.indexed(1, 'b', 1)
  const { addedDocs, sourceDocuments } = report.result(0, 0, false)
  assert.deepEqual([addedDocs, sourceDocuments], [[], [document('kept')]])
})
