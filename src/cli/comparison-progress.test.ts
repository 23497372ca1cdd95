import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { World } from './world.ts'
import { comparisonLine, showComparison } from './comparison-progress.ts'

test('comparisonLine() says how far a comparison is, and from some points on how long it takes', () => {
  const line = (done: number, total: number) =>
    comparisonLine('handbook', { step: 'compare', done, total }, 1000)
  assert.equal(line(1000, 20_000), 'handbook: comparing, 5 %, 1,000 ids read')
  assert.equal(line(5000, 20_000), 'handbook: comparing, 25 %, 5,000 ids read, 3.0 s left')
  assert.equal(line(0, 0), 'handbook: comparing, 100 %, 0 ids read')
})

test('showComparison() writes over one line of a terminal, not too often, and nothing elsewhere', () => {
  let time = 0
  const written = (isTTY: boolean) => {
    const lines: string[] = []
    const stderr = {
      isTTY,
      columns: 80,
      write: (text: string) => lines.push(text),
    } as unknown as World['stderr']
    const shown = showComparison({ stderr }, () => time)
    for (const done of [1000, 2000, 9000]) {
      shown.at('handbook', { step: 'repair', done, total: 10_000 })
      time += 150
    }
    shown.end()
    return lines
  }
  assert.deepEqual(written(true), [
    '\r\u001b[Khandbook: repairing, 10 %, 1,000 ids read',
    '\r\u001b[Khandbook: repairing, 90 %, 9,000 ids read, 33 ms left',
    '\r\u001b[K',
  ])
  assert.deepEqual(written(false), [])
})
