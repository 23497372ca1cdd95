import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { createSpending } from './spending.ts'

function spendingOf(t: TestContext, more: { tokens?: number; spent?: number } = {}) {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-spending-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const time = { now: 0 }
  const bounds = { tokens: more.tokens ?? 10, megabytes: 1, minutes: 2 }
  const spent = more.spent ?? 0
  return {
    directory,
    time,
    spending: createSpending({ bounds, directory, spent, startedAt: 0, clock: () => time.now }),
  }
}

test('createSpending() refuses tokens over the bound, with those of an earlier process [compare:bounds]', (t) => {
  const { spending } = spendingOf(t, { spent: 4 })
  spending.tokens('a', 6)
  assert.throws(() => spending.tokens('b', 1), {
    code: 'comparison_over_limit',
    message: /variant b: .* 10 tokens/,
  })
})

test('createSpending() ends what takes too long or too much disk, with the name of the variant [compare:bounds]', async (t) => {
  const { spending, directory, time } = spendingOf(t)
  await spending.look('a')
  mkdirSync(path.join(directory, 'index-1'))
  writeFileSync(path.join(directory, 'index-1', 'data'), Buffer.alloc(2 ** 20 + 1))
  // It looks at most twice a second.
  await spending.look('a')
  time.now = 600
  await assert.rejects(spending.look('b'), { code: 'comparison_over_limit', message: /variant b: .* 1 MB/ })
  time.now = 121_000
  await assert.rejects(spending.look('c'), {
    code: 'comparison_over_limit',
    message: /variant c: .* 2 minutes/,
  })
})
