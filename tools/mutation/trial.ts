import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripTypeScriptTypes } from 'node:module'
import { mutated, type Mutant } from './mutants.ts'

export type Verdict = 'killed' | 'survived' | 'out of time'

/** A copy of a checkout in which sources can be changed while the checkout stays as it is. */
export function copyOf(root: string): { directory: string; remove(): void } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sluice-mutation-'))
  for (const name of ['src', 'test', 'package.json'])
    cpSync(path.join(root, name), path.join(directory, name), {
      recursive: true,
      filter: (from) => path.basename(from) !== 'node_modules',
    })
  for (const name of ['node_modules', 'models', 'examples', 'test/node_modules'])
    symlinkSync(path.join(root, name), path.join(directory, name))
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** Runs test files one after another until one fails. */
export async function runTests(
  directory: string,
  tests: readonly string[],
  timeLimit: number,
): Promise<Verdict> {
  for (const test of tests) {
    const verdict = await runTest(directory, test, timeLimit)
    if (verdict !== 'survived') return verdict
  }
  return 'survived'
}

function runTest(directory: string, test: string, timeLimit: number): Promise<Verdict> {
  const { promise, resolve } = Promise.withResolvers<Verdict>()
  const args = ['--test', '--test-isolation=none', '--test-reporter=dot', test]
  const child = spawn(process.execPath, args, { cwd: directory, stdio: 'ignore' })
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, timeLimit)
  child.on('close', (code) => {
    clearTimeout(timer)
    resolve(late ? 'out of time' : code === 0 ? 'survived' : 'killed')
  })
  return promise
}

/** Whether a changed source is still TypeScript: a change that no parser takes proves nothing about the tests. */
export function parses(source: string): boolean {
  try {
    stripTypeScriptTypes(source)
    return true
  } catch {
    return false
  }
}

/** Judges a change of one file of a copy, and puts the file back. */
export async function tryMutant(
  directory: string,
  { file, source, tests }: { file: string; source: string; tests: readonly string[] },
  mutant: Mutant,
  timeLimit: number,
): Promise<Verdict> {
  writeFileSync(path.join(directory, file), mutated(source, mutant))
  try {
    return await runTests(directory, tests, timeLimit)
  } finally {
    writeFileSync(path.join(directory, file), source)
  }
}
