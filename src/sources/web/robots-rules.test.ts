import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTurns } from '../../../test/support/count-turns.ts'
import { readRobots } from './robots-rules.ts'

test('readRobots() follows the longest matching rule, and Allow among rules of equal length', async () => {
  const { allows } = await readRobots(
    'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\nAllow: /c\nDisallow: /c\nDisallow: /d*/e',
    'sluice',
  )
  const rows: [path: string, allowed: boolean][] = [
    ['/', true],
    ['/a/c', false],
    ['/a/b/c', true],
    ['/x.pdf', false],
    ['/x.pdf?page=1', true],
    ['/a/b.pdf', false],
    ['/c', true],
    ['/d/x/e/f', false],
    ['/d/x', true],
  ]
  for (const [path, allowed] of rows) assert.equal(await allows(path), allowed, path)
})

test('readRobots() reads 20,000 names and 20,000 rules once each, in turns of the event loop', async () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `User-agent: a${n}\n`).join('')
  const rules = Array.from({ length: 20_000 }, (_, n) => `Disallow: /${n}\n`).join('')
  using turns = countTurns()
  const { allows } = await readRobots(`${names}User-agent: Sluice/2\nUser-agent: sluice\n${rules}`, 'sluice')
  assert.ok(turns.count >= 20, `${turns.count} turns`)
  assert.equal(await allows('/19999'), false)
  assert.equal(await allows('/x'), true)
})

test('readRobots() lets other work run while paths are compared with many wildcards, one at a time', async () => {
  const rules = Array.from({ length: 20_000 }, (_, n) => `Disallow: /*a*a*a*a*a*${n}$`).join('\n')
  const { allows } = await readRobots(`User-agent: *\n${rules}`, 'sluice')
  const path = `/${'a'.repeat(2000)}`
  using turns = countTurns()
  assert.equal(await allows(path), true)
  const ofOne = turns.count
  assert.ok(ofOne > 20, `${ofOne} turns`)
  assert.deepEqual(await Promise.all([path, path, path].map(allows)), [true, true, true])
  assert.ok(turns.count - ofOne >= 2.9 * (ofOne - 1), `${ofOne} turns for one, ${turns.count} for four`)
})
