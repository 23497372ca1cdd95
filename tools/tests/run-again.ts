import type { TestResult } from './run-file.ts'
import { nameOf, type TestRun } from './test-runs.ts'

/** `first`: how it failed beside others, of a file that passed when it ran once more. */
export type RanFile = { run: TestRun; result: TestResult; first?: TestResult }

/** So many failed files run once more. More have not failed because the machine was busy. */
const AT_MOST = 2

/** What these find seldom is what they are for: a fault of the product that needs many faults of others. */
const ONCE = ['test/e2e/engine-chaos.test.ts', 'test/postgres/chaos.test.ts']

/**
 * Runs files that failed beside others once more, one after another. One that passes then counts as passed, with how it failed at first:
 * of some 7,700 tests one or two in a run are decided by how busy the machine is, each time others.
 */
export async function runFailedAgain(
  files: readonly RanFile[],
  run: (file: TestRun) => Promise<TestResult>,
): Promise<RanFile[]> {
  const failed = files.filter(({ result }) => !result.passed)
  if (failed.length > AT_MOST) return [...files]
  const ran = new Map<TestRun, RanFile>()
  for (const { run: file, result: first } of failed) {
    if (ONCE.includes(file.file)) continue
    const result = await run(file)
    ran.set(file, result.passed ? { run: file, result, first } : { run: file, result })
  }
  return files.map((one) => ran.get(one.run) ?? one)
}

export const namesOf = (files: readonly RanFile[]): string => files.map(({ run }) => nameOf(run)).join(', ')
