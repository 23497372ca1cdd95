import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FileAnswer, UpsertAnswer } from '../api/upsert.ts'
import type { Paint } from './paint.ts'
import { upsertReport } from './upsert-report.ts'

const plain: Paint = (_, text) => text
const NONE = { chunks: 1, added: 1, updated: 0, skipped: 0, deleted: 0 }
const file = (name: string, dropped?: FileAnswer['dropped']): FileAnswer => ({
  ...{ name, status: 'indexed' as const, ...NONE },
  ...(dropped ? { dropped } : {}),
})
const report = (...files: FileAnswer[]) => upsertReport({ numAdded: 1, files } as UpsertAnswer, plain)

test('upsertReport() says what was left out of a file, a line each, and of how many more [cli:upsert:dropped]', () => {
  const sheet = [{ kind: 'hiddenSheet' as const, count: 1, text: '1 hidden sheet' }]
  const both = [...sheet, { kind: 'picture' as const, count: 4, text: '4 pictures' }]
  assert.match(
    report(file('a.xlsx', both), file('b.txt')),
    /\nleft out a\.xlsx: 1 hidden sheet, 4 pictures\n1 added/,
  )
  assert.doesNotMatch(report(file('b.txt')), /left out/)
  const many = report(...Array.from({ length: 14 }, (_, n) => file(`${n}.xlsx`, sheet)))
  assert.match(many, /left out 9\.xlsx: 1 hidden sheet\nleft out of 4 more files\n/)
  assert.doesNotMatch(many, /left out 10\.xlsx/)
})
