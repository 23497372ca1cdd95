import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'

const FILE = path.join(import.meta.dirname, '../fixtures/pattern-verdicts.json')
const CHECKER = path.join(import.meta.dirname, '../node_modules/recheck/package.json')

/**
 * An attack is judged by how many characters the pattern reads, not by how long that takes: the checker's own limit is a second, which
 * means less on a busy machine. The limit is about what that second has: 300,000 characters, the longest text that is tried, of which
 * each is read 333 times. A check that does not end is named as `unknown`.
 */
const LIMITS = { timeout: 600_000, attackTimeout: null, attackLimit: 100_000_000, randomSeed: 1 }

/** By what the verdicts were found. The same checker with the same limits finds the same. */
const judge = () => {
  const { version } = JSON.parse(readFileSync(CHECKER, 'utf8')) as { version: string }
  const { attackLimit, randomSeed } = LIMITS
  return { recheck: version, attackLimit, randomSeed }
}

/** The patterns, as `/source/flags`, that this checker was asked about before, and found linear; none where another one was asked. */
export function keptVerdicts(): ReadonlySet<string> {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as { judge: unknown; safe: string[] }
  return new Set(isDeepStrictEqual(kept.judge, judge()) ? kept.safe : [])
}

/** Keeps the patterns that were found linear, one a line, in place of the kept ones. */
export function keepVerdicts(safe: Iterable<string>): void {
  writeFileSync(FILE, `${JSON.stringify({ judge: judge(), safe: [...safe].toSorted() }, undefined, 1)}\n`)
}

/** Asks the checker, for seconds at times. @returns `safe`, how the time of a pattern grows, or `unknown` */
export async function judgePattern(source: string, flags: string): Promise<string> {
  const { checkSync } = await import('recheck')
  const found = checkSync(source, flags, LIMITS)
  return found.status === 'vulnerable' ? found.complexity.summary : found.status
}
