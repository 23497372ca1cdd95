import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALLOWED_PATTERNS } from '../support/allowed-patterns.ts'
import { judgePattern, keptVerdicts } from '../support/pattern-verdicts.ts'
import { patternsOfProduct } from '../support/patterns.ts'

/** Files that make patterns of texts: which texts. */
const MADE: Readonly<Record<string, string>> = {
  'src/jobs/job-fence.ts': 'a constant: the length of an id, at the end of a text',
  'src/flow/assemble.ts': 'an escaped name of an input, between letters of the message of its card',
  'src/flow/graph.ts': 'an escaped id of a node of the flow, with one bounded name after it',
  'src/formats/sqlite.ts': 'its own constants; for the query of a flow',
  'src/formats/subtitle-cues.ts': 'its own constants; for a line, in a child process with a limit of time',
  'src/kit/secret-mask.ts': 'escaped secrets, one or another',
  'src/openapi/read/schema-keywords.ts': 'compiled only, never asked',
  'src/text/sluice/code-kinds.ts': 'its own constants; for a line, of which 512 characters are looked at',
  'src/text/terms/as-meant.ts': 'a word of the question, of letters alone, between bounded surroundings',
  'src/text/terms/half-spaces.ts': 'its own constants: letters and one character between them',
  'src/text/token-encodings.ts': 'the constants of js-tiktoken: one word after another',
  'src/tools/request.ts': 'an escaped name of a parameter',
}

/** How many verdicts may lack in the kept ones, or be of patterns that are gone, before they have to be kept again. */
const MOST_NOT_KEPT = 25

const KEEP = 'npx node test/support/keep-pattern-verdicts.ts'

const { literals, made } = patternsOfProduct()

test('every regular expression of src/ takes time in proportion to its text, or is listed with the reason why it need not', async (t) => {
  assert.ok(literals.length > 200, `${literals.length} patterns`)
  const safe = keptVerdicts()
  const unused = new Set(safe)
  const needed = new Set<string>()
  const slow: string[] = []
  const judged = new Map<string, string>()
  for (const { file, line, source, flags } of literals) {
    const pattern = `/${source}/${flags}`
    const name = `${file} ${pattern}`
    if (name in ALLOWED_PATTERNS) {
      needed.add(name)
      continue
    }
    unused.delete(pattern)
    if (safe.has(pattern)) continue
    const verdict = judged.get(pattern) ?? (await judgePattern(source, flags))
    judged.set(pattern, verdict)
    if (verdict !== 'safe') slow.push(`${file}:${line} ${pattern} ${verdict}`)
  }
  t.diagnostic(`${safe.size - unused.size} verdicts are kept, ${needed.size} patterns are listed`)
  for (const pattern of judged.keys()) t.diagnostic(`judged now, ${KEEP} keeps it: ${pattern}`)
  for (const pattern of unused) t.diagnostic(`not used any more, ${KEEP} drops it: ${pattern}`)
  assert.deepEqual(slow, [])
  assert.deepEqual(
    Object.keys(ALLOWED_PATTERNS).filter((name) => !needed.has(name)),
    [],
    'rows without a pattern',
  )
  assert.ok(judged.size + unused.size <= MOST_NOT_KEPT, `the kept verdicts are of other patterns: ${KEEP}`)
})

test('every file of src/ that makes a regular expression of a text is listed with what that text is', () => {
  assert.deepEqual([...new Set(made)].toSorted(), Object.keys(MADE).toSorted())
})
