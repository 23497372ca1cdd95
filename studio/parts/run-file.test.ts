import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRunFile } from './run-file.ts'

const RUN = {
  ...{ format: 'sluice-run-1', id: 'r', kind: 'answer', state: 'FINISHED', title: 'Why?', ms: 5 },
  ...{ startedAt: '2026-01-31T09:00:00.000Z', flow: { id: 'f', name: 'F' }, drawing: 'same' },
  ...{ nodes: [], lines: [], spans: [], omittedSpans: 0 },
}

test('readRunFile() reads a record, and says what else a file is', () => {
  assert.deepEqual(readRunFile(JSON.stringify(RUN), 'run.json'), RUN)
  const refused = (text: string) => {
    try {
      readRunFile(text, 'run.json')
      return 'no refusal'
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.equal(refused('{'), 'run.json is not the record of a run: it is not JSON')
  assert.equal(refused('null'), 'run.json is not the record of a run')
  assert.equal(refused('{"nodes": []}'), 'run.json is not the record of a run')
  assert.match(refused('{"format": "sluice-run-9"}'), /of the form sluice-run-9, which this version/)
  assert.match(refused(JSON.stringify({ ...RUN, lines: undefined })), /parts of it are missing/)
})
