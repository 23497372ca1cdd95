import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behaviour } from './behaviour.ts'

const FILE = 'src/contract/job.ts'

for (const source of [
  "import type { Json } from '../kit/json.ts'\nexport type Job = { run(): void; at: (now: number) => Json }",
  "export const STATES = ['queued (waits)', 'done'] as const\nexport const LIMITS = { count: 10 * 2 ** 20 }",
  "import { NAMES } from './a.ts'\n/** new function() */\nexport interface B {\n  run(): void\n}\nexport const ALL: readonly (() => void)[] = []",
])
  test(`behaviour() lets a contract hold types and plain data: ${source.split('\n')[0]}`, () => {
    assert.deepEqual(behaviour(FILE, source), [])
  })

for (const line of [
  'export const hasEnded = (state: string): boolean => state === "done"',
  'export function owner(key: string): string { return key }',
  'export class Rows {}',
  'export const NAMES = new Set<string>()',
  'export const LATEST = Math.max(1, 2)',
  "import { sha256 } from '../kit/hash.ts'",
])
  test(`behaviour() finds what a contract does: ${line}`, () => {
    assert.deepEqual(behaviour(FILE, `export type A = 1\n${line}\n`), [2])
  })

test('behaviour() looks at no test and at no other room', () => {
  const source = 'export const hash = () => 1\n'
  assert.deepEqual(behaviour('src/contract/job.test.ts', source), [])
  assert.deepEqual(behaviour('src/kit/hash.ts', source), [])
})
