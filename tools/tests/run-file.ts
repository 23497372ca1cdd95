import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { TestRun } from './test-runs.ts'

/** How a run ended; `output` is what the reporter `spec` wrote, `skipped` has how many tests were skipped for each reason. */
export type TestResult = { passed: boolean; output: string; seconds: number; counts: Counts; skipped: Counts }

/** How many tests there were, by the names of the reporter. */
export type Counts = Record<string, number>

/** How much of an output is shown where it does not say what failed. */
const LAST_CHARACTERS = 4000

const COUNTED = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo']

/** After this time a run has failed: it waits for something that does not come. */
export const LONGEST_MS = 900_000

/** Runs a file in a process of its own, as `node FILE` does. */
export async function runFile({ file, postgres }: TestRun, env: NodeJS.ProcessEnv): Promise<TestResult> {
  const begun = performance.now()
  const child = spawn(process.execPath, [file], {
    env: { ...env, ...(postgres ? { SLUICE_TEST_DATABASE: 'postgres' } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code === 0 ? '' : `ended with ${code ?? signal}`))
  })
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  const fault = await ended
  // A process that a failed test has left may keep the pipes open.
  const written = await Promise.race([outputs, closedSoon()])
  child.stdout.destroy()
  child.stderr.destroy()
  const [out, errors] = written ?? ['', 'a process that it started goes on']
  const seconds = (performance.now() - begun) / 1000
  return resultOf([out, errors, fault], fault === '' && written !== undefined, seconds)
}

/** The result of a run by its output, of which the first part is by the reporter; `ended` where its process did as it should. */
export function resultOf(parts: [report: string, ...string[]], ended: boolean, seconds: number): TestResult {
  const [report] = parts
  const counts = countsOf(report)
  const passed = ended && (counts.tests ?? 0) > 0 && counts.fail === 0 && counts.cancelled === 0
  const output = parts.filter((part) => part !== '').join('\n')
  return { passed, output, seconds, counts, skipped: skippedOf(report) }
}

const closedSoon = () =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 10_000).unref())

/** The counts at the end of the output of the reporter `spec`. */
export function countsOf(output: string): Counts {
  const counts: Counts = {}
  for (const [, name, count] of output.matchAll(/^ℹ (\w+) (\d+)$/gm))
    if (COUNTED.includes(name!)) counts[name!] = Number(count)
  return counts
}

/** How many tests were skipped, by the reason that the reporter `spec` writes behind them. */
export function skippedOf(output: string): Counts {
  const reasons: Counts = {}
  const [tests = ''] = output.split('\n✖ failing tests:')
  for (const [, reason] of tests.matchAll(/^ *﹣ .+ \([\d.]+ms\) # (.+)$/gm))
    reasons[reason!] = (reasons[reason!] ?? 0) + 1
  return reasons
}

/** Adds counts to a sum. */
export function addCounts(sum: Counts, counts: Counts): void {
  for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
}

/** What the reporter `spec` wrote about the tests that failed; the end of the output where it wrote nothing. */
export function failuresOf(output: string): string {
  const from = output.indexOf('✖ failing tests:')
  return (from >= 0 ? output.slice(from) : output.slice(-LAST_CHARACTERS)).slice(0, 2 * LAST_CHARACTERS)
}
