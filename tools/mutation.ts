import { readFileSync } from 'node:fs'
import path from 'node:path'
import { mutantsOf, mutated, type Mutant } from './mutation/mutants.ts'
import { EQUIVALENT, TARGETS, WANTED_PERCENT } from './mutation/targets.ts'
import { copyOf, parses, runTests, tryMutant } from './mutation/trial.ts'

/*
 * npm run mutation [FILE…]
 *
 * Changes one thing at a time in the core (src/… of tools/mutation/targets.ts, or the files that are named), in a copy,
 * and runs the tests of that file. Prints each change that no test noticed, then the figures per file. Exit code 1 where
 * fewer than 80 % of the changes of a file were noticed. One process at a time: some ten minutes.
 */
const SLOWEST_TEST_MS = 120_000
const root = path.join(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
const targets = TARGETS.filter(({ file }) => wanted.length === 0 || wanted.includes(file))
if (targets.length === 0) {
  console.error(`no such file among:\n${TARGETS.map(({ file }) => `  ${file}`).join('\n')}`)
  process.exit(2)
}

const copy = copyOf(root)
const rows: string[] = []
const total = { mutants: 0, noticed: 0 }
try {
  for (const target of targets) {
    const source = readFileSync(path.join(root, target.file), 'utf8')
    const started = performance.now()
    if ((await runTests(copy.directory, target.tests, SLOWEST_TEST_MS)) !== 'survived')
      throw new Error(`the tests of ${target.file} fail without a change: ${target.tests.join(', ')}`)
    // Other programs may use the processor meanwhile.
    const timeLimit = 10_000 + 4 * (performance.now() - started)
    const count = { killed: 0, survived: 0, 'out of time': 0 }
    const mutants = mutantsOf(source)
      .filter((mutant) => parses(mutated(source, mutant)))
      .filter((mutant) => !(describe(target.file, source, mutant) in EQUIVALENT))
    for (const mutant of mutants) {
      const verdict = await tryMutant(copy.directory, { ...target, source }, mutant, timeLimit)
      count[verdict]++
      if (verdict !== 'survived') continue
      const line = source.slice(0, mutant.start).split('\n').length
      console.log(`survived, line ${line} (${mutant.kind}): ${describe(target.file, source, mutant)}`)
    }
    const noticed = count.killed + count['out of time']
    const percent = (100 * noticed) / mutants.length
    total.mutants += mutants.length
    total.noticed += noticed
    if (percent < WANTED_PERCENT) process.exitCode = 1
    rows.push(
      `${target.file.padEnd(26)} ${String(mutants.length).padStart(4)} changes, ${percent.toFixed(1).padStart(5)} % noticed (${count['out of time']} by the time limit), ${count.survived} survived`,
    )
    console.log(rows.at(-1))
  }
} finally {
  copy.remove()
}
console.log(
  `\n${rows.join('\n')}\nall ${total.mutants} changes, ${((100 * total.noticed) / total.mutants).toFixed(1)} % noticed`,
)

/** A change as `file: line before → line after`, spaces run together. */
function describe(file: string, source: string, mutant: Mutant): string {
  const from = source.lastIndexOf('\n', mutant.start) + 1
  const to = source.indexOf('\n', mutant.end)
  const changed = mutated(source.slice(from, to), {
    ...mutant,
    start: mutant.start - from,
    end: mutant.end - from,
  })
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ')
  return `${file}: ${plain(source.slice(from, to))} → ${plain(changed)}`
}
