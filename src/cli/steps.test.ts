import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paper } from '../../test/support/command-line.ts'
import { showSteps } from './steps.ts'

const plain = (_: unknown, text: string) => text

test('showSteps() overwrites one line of a terminal at most ten times per second, and clears it', () => {
  const stderr = paper(true)
  let now = 0
  const steps = showSteps({ stderr }, plain, () => now)
  steps.show('Asking', 1, 4)
  steps.show('Asking', 2, 4)
  now = 100
  steps.show('Asking', 1200, 4800)
  steps.end()
  steps.end()
  assert.equal(stderr.text, '\r\u001b[KAsking 1 of 4 · 25 %\r\u001b[KAsking 1,200 of 4,800 · 25 %\r\u001b[K')
})

test('showSteps() writes nothing without a terminal', () => {
  const stderr = paper()
  using steps = showSteps({ stderr }, plain)
  steps.show('Asking', 1, 4)
  steps.end()
  assert.equal(stderr.text, '')
})
