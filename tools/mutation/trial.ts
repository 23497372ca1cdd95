import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripTypeScriptTypes } from 'node:module'
import { mutated, type Mutant } from './mutants.ts'

export type Verdict = 'killed' | 'survived' | 'out of time'

/** The folder of a copy for what its tests write: a test that is killed leaves its folders. */
const SCRATCH = 'scratch'

/** A copy of a checkout in which sources can be changed while the checkout stays as it is. */
export function copyOf(root: string): { directory: string; remove(): void } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'sluice-mutation-'))
  for (const name of ['src', 'test', 'package.json'])
    cpSync(path.join(root, name), path.join(directory, name), {
      recursive: true,
      filter: (from) => path.basename(from) !== 'node_modules',
    })
  mkdirSync(path.join(directory, SCRATCH))
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
  const scratch = path.join(directory, SCRATCH)
  const child = spawn(process.execPath, args, {
    cwd: directory,
    // The data of a PostgreSQL is made once for all runs.
    env: { ...process.env, TMPDIR: scratch, SLUICE_TEST_SHARED: scratch },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let verdict: Verdict | undefined
  const end = (reached: Verdict) => {
    verdict ??= reached
    child.kill('SIGKILL')
  }
  const timer = setTimeout(end, timeLimit, 'out of time')
  // The reporter prints an X for a failed test: the others need not run.
  child.stdout.on('data', (printed: Buffer) => {
    if (printed.includes('X')) end('killed')
  })
  child.on('exit', (code) => {
    clearTimeout(timer)
    resolve(verdict ?? (code === 0 ? 'survived' : 'killed'))
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
