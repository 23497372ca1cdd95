import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { exportedNames, repeatedNames } from './exported-names.ts'

test('exportedNames() reads declarations of all kinds, and none of comments or texts', () => {
  const source = [
    'export const a = 1',
    'export async function b() {}',
    'export function* c() {}',
    'export type D<T> = T',
    'export class E {}',
    'const f = 1',
    '/*',
    'export const g = 1',
    '*/',
    'const text = `',
    'export const h = 1',
    '`',
  ].join('\n')
  assert.deepEqual(exportedNames(source), ['a', 'b', 'c', 'D', 'E'])
})

test('repeatedNames() names what two files export, apart from commands, tests, overloads of one file and the two databases', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'sluice-names-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (file: string, source: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), source)
  }
  write(
    'src/kit/one.ts',
    'export type Place = 1\nexport function twice(): void\nexport function twice() {}\n',
  )
  write('src/flow/two.ts', 'export const Place = 1\n')
  write('src/flow/two.test.ts', 'export const twice = 1\n')
  write('src/cli/commands/list.ts', 'export const Place = 1\n')
  write('src/db/sqlite/chunks.ts', 'export const chunksOf = 1\nexport const both = 1\n')
  write('src/db/postgres/chunks.ts', 'export const chunksOf = 1\n')
  write('src/db/postgres/other.ts', 'export const both = 1\nexport const apart = 1\n')
  write('src/db/postgres/more.ts', 'export const apart = 1\n')
  assert.deepEqual(repeatedNames(root), [
    'apart is exported by src/db/postgres/more.ts, src/db/postgres/other.ts: give each its own name',
    'Place is exported by src/flow/two.ts, src/kit/one.ts: give each its own name',
  ])
})
