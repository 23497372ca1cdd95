import { ALLOWED_PATTERNS } from './allowed-patterns.ts'
import { judgePattern, keepVerdicts, keptVerdicts } from './pattern-verdicts.ts'
import { patternsOfProduct } from './patterns.ts'

/*
 * Keeps the verdicts of `recheck` about the regular expressions of the product, and drops those of patterns that are gone. Run it when
 * patterns were added or the checker is a new one: npx node test/support/keep-pattern-verdicts.ts
 */
const before = keptVerdicts()
const safe = new Set<string>()
const slow = new Set<string>()
for (const { file, source, flags } of patternsOfProduct().literals) {
  const pattern = `/${source}/${flags}`
  if (`${file} ${pattern}` in ALLOWED_PATTERNS || safe.has(pattern)) continue
  if (before.has(pattern) || (await judgePattern(source, flags)) === 'safe') safe.add(pattern)
  else slow.add(`${file} ${pattern}`)
}
keepVerdicts(safe)
const added = [...safe].filter((pattern) => !before.has(pattern))
const dropped = [...before].filter((pattern) => !safe.has(pattern))
process.stdout.write(`${safe.size} verdicts, ${added.length} of them new; ${dropped.length} dropped\n`)
for (const pattern of slow) process.stdout.write(`not linear, and not kept: ${pattern}\n`)
if (slow.size > 0) process.exitCode = 1
