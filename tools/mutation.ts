import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { mutantsOf, mutated, type Mutant } from './mutation/mutants.ts'
import { sampleOf } from './mutation/sample.ts'
import { EQUIVALENT, type Target, TARGETS, WANTED_PERCENT } from './mutation/targets.ts'
import { TestProcess, type Verdict } from './mutation/test-process.ts'
import { copyOf, parses } from './mutation/copy.ts'

/*
 * npm run mutation [--sample NUMBER] [--seed NUMBER] [AREA or FILE…]
 *
 * Changes one thing at a time in the files of tools/mutation/targets.ts (all, or those of the areas and files that are named), in a
 * copy, and runs the tests of that file. Prints each change that no test noticed, then the figures per file. With --sample at most so
 * many changes of each file, chosen at random: the same ones for the same seed. Exit code 1 where fewer than 80 % of the changes of a
 * file were noticed. One process at a time: a file takes between one and fifteen minutes.
 */
const SLOWEST_TEST_MS = 120_000
const root = path.join(import.meta.dirname, '..')
const { values, positionals: wanted } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const most = values.sample === undefined ? Infinity : Number(values.sample)
const seed = Number(values.seed)
const targets = TARGETS.filter(
  ({ area, file }) => wanted.length === 0 || wanted.includes(area) || wanted.includes(file),
)
if (targets.length === 0 || !(most >= 1) || !(seed >= 1)) {
  console.error(
    `npm run mutation [--sample 1…] [--seed 1…] [AREA or FILE…], of these:\n${TARGETS.map(({ area, file }) => `  ${area}  ${file}`).join('\n')}`,
  )
  process.exit(2)
}

const copy = copyOf(root)
const tests = new TestProcess(copy.scratch)
const rows: string[] = []
const total = { mutants: 0, noticed: 0 }
try {
  for (const target of targets) {
    const source = readFileSync(path.join(root, target.file), 'utf8')
    // In a process that has loaded nothing of another file.
    tests.end()
    let started = performance.now()
    // Twice: the first run has also loaded everything else, and may leave what makes every later one fail.
    for (let time = 0; time < 2; time++) {
      started = performance.now()
      if ((await verdictOn(target, source, SLOWEST_TEST_MS)) !== 'survived')
        throw new Error(`the tests of ${target.file} fail without a change: ${target.tests.join(', ')}`)
    }
    // Other programs may use the processor meanwhile.
    const timeLimit = 10_000 + 4 * (performance.now() - started)
    const count = { killed: 0, survived: 0, 'out of time': 0 }
    const all = mutantsOf(source)
      .filter((mutant) => parses(mutated(source, mutant)))
      .filter((mutant) => !(describe(target.file, source, mutant) in EQUIVALENT))
    const mutants = sampleOf(all, most, seed)
    for (const mutant of mutants) {
      const verdict = await verdictOn(target, mutated(source, mutant), timeLimit)
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
    writeFileSync(path.join(copy.directory, target.file), source)
    rows.push(
      `${target.area.padEnd(8)} ${target.file.padEnd(40)} ${String(mutants.length).padStart(4)} of ${all.length} changes, ${percent.toFixed(1).padStart(5)} % noticed (${count['out of time']} by the time limit), ${count.survived} survived`,
    )
    console.log(rows.at(-1))
  }
} finally {
  tests.end()
  copy.remove()
}
console.log(
  `\n${rows.join('\n')}\nall ${total.mutants} changes, ${((100 * total.noticed) / total.mutants).toFixed(1)} % noticed`,
)

/** What the tests of a file say of it with another content. */
function verdictOn({ file, tests: files }: Target, content: string, timeLimit: number): Promise<Verdict> {
  writeFileSync(path.join(copy.directory, file), content)
  return tests.verdict({ directory: copy.directory, file, tests: files }, timeLimit)
}

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
