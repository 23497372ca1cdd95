import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRobots } from './robots-rules.ts'

test('readRobots() follows the longest matching rule, and Allow among rules of equal length', async () => {
  const { allows } = readRobots(
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

test('readRobots() reads 20,000 names and 20,000 rules once each', async () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `User-agent: a${n}\n`).join('')
  const rules = Array.from({ length: 20_000 }, (_, n) => `Disallow: /${n}\n`).join('')
  const { allows } = readRobots(`${names}User-agent: Sluice/2\nUser-agent: sluice\n${rules}`, 'sluice')
  assert.equal(await allows('/19999'), false)
  assert.equal(await allows('/x'), true)
})

test('readRobots() lets other work run while a path is compared with many wildcards', async () => {
  const rules = Array.from({ length: 20_000 }, (_, n) => `Disallow: /*a*a*a*a*a*${n}$`).join('\n')
  const { allows } = readRobots(`User-agent: *\n${rules}`, 'sluice')
  let turns = 0
  let isAsking = true
  const count = () => {
    turns++
    if (isAsking) setImmediate(count)
  }
  setImmediate(count)
  assert.equal(await allows(`/${'a'.repeat(2000)}`), true)
  isAsking = false
  assert.ok(turns > 20, `${turns} turns`)
})
