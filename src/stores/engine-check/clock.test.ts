import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockFinding } from './clock.ts'

test('clockFinding() names a clock that is of tomorrow, or late, and lets small differences be', () => {
  const now = Date.UTC(2026, 10, 27)
  assert.equal(clockFinding([now + 1000, now - 200_000], now), 'as the clock of this machine')
  for (const [time, found] of [
    [now + 86_400_000, /24 hours ahead of/],
    [now - 600_000, /10 minutes behind/],
  ] as const) {
    const finding = clockFinding([now, time], now) as { outcome: string; found: string }
    assert.equal(finding.outcome, 'no')
    assert.match(finding.found, found)
  }
})
