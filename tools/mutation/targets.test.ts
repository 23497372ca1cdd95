import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { EQUIVALENT } from './equivalent.ts'
import { described, mutantsOf } from './mutants.ts'
import { TARGETS } from './targets.ts'

const at = (file: string) => path.join(import.meta.dirname, '../..', file)

test('each target and each of its tests is a file that is there', () => {
  const files = TARGETS.flatMap(({ file, tests }) => [file, ...tests])
  assert.deepEqual(
    files.filter((file) => !existsSync(at(file))),
    [],
  )
})

test('each equivalent change is one that is still made of its file', () => {
  const made = new Set<string>()
  for (const { file } of TARGETS) {
    if (!existsSync(at(file))) continue
    const source = readFileSync(at(file), 'utf8')
    for (const mutant of mutantsOf(source)) made.add(described(file, source, mutant))
  }
  assert.deepEqual(
    Object.keys(EQUIVALENT).filter((row) => !made.has(row)),
    [],
  )
})
