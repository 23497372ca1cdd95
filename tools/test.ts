import { spawnSync } from 'node:child_process'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { buildProgram } from './tests/built-program.ts'
import { COMPILE_CACHE } from './tests/compile-cache.ts'
import { namesOf, type RanFile, runFailedAgain } from './tests/run-again.ts'
import { addCounts, type Counts, failuresOf, runFile } from './tests/run-file.ts'
import { SharedRuns } from './tests/run-shared.ts'
import { scratchFolder } from './tests/scratch.ts'
import { allRuns, nameOf, STARTS_PROGRAM } from './tests/test-runs.ts'

/*
 * `node tools/test.ts [WORD…]` runs the files below `test/`; with words, those that have one in their name. TEST_FILES_AT_ONCE: how
 * many at a time, one more than there are processors unless set, since tests also wait. Prints all that a failed file wrote, and of the
 * others their names; at the end, which failed and which did only beside others.
 */
const root = path.join(import.meta.dirname, '..')
process.chdir(root)
// A new checkout has no packages of test/package.json yet.
if (spawnSync(process.execPath, ['tools/with.ts', 'test'], { stdio: 'inherit' }).status !== 0) process.exit(1)
const words = process.argv.slice(2)
const runs = allRuns(root).filter(
  (run) => words.length === 0 || words.some((word) => nameOf(run).includes(word)),
)
const atOnce = Number(process.env.TEST_FILES_AT_ONCE ?? availableParallelism() + 1)

const SLOWEST = 25

/** With so many files that start the program it is built once for all. */
const WORTH_A_BUILD = 3

const shared = scratchFolder()
const env = {
  ...process.env,
  TMPDIR: shared,
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  SLUICE_TEST_SHARED: shared,
}

const begun = performance.now()
const timesBefore = processorTimes()
if (runs.filter(({ file }) => STARTS_PROGRAM.test(file)).length >= WORTH_A_BUILD)
  Object.assign(env, { SLUICE_TEST_PROGRAM: buildProgram(root, path.join(shared, 'program')) })
const waiting = [...runs]
const results: RanFile[] = []
await Promise.all(Array.from({ length: atOnce }, work))
report(await runFailedAgain(results, (run) => runFile(run, env)))

async function work(): Promise<void> {
  const shared = new SharedRuns(env)
  for (let run = waiting.shift(); run; run = waiting.shift()) {
    const result = await (run.alone ? runFile(run, env) : shared.run(run))
    results.push({ run, result })
    if (!result.passed) console.log(`\n${result.output}\n`)
    console.log(`${result.passed ? '✔' : '✖'} ${nameOf(run)}  ${result.seconds.toFixed(1)} s`)
  }
  await shared.end()
}

function report(results: readonly RanFile[]): void {
  const counts: Counts = {}
  const skipped: Counts = {}
  for (const { result } of results) {
    addCounts(counts, result.counts)
    addCounts(skipped, result.skipped)
  }
  const slowest = results.toSorted((one, other) => other.result.seconds - one.result.seconds)
  console.log('\nThe files that took longest, in seconds:')
  for (const { run, result } of slowest.slice(0, SLOWEST))
    console.log(`${result.seconds.toFixed(1).padStart(7)}  ${nameOf(run)}`)
  // A file whose every test needs a missing thing is one skipped test.
  if (counts.skipped) console.log('\nSkipped, by reason:')
  for (const [reason, count] of Object.entries(skipped).sort(([, one], [, other]) => other - one))
    console.log(`${String(count).padStart(7)}  ${reason}`)
  console.log()
  for (const [name, count] of Object.entries(counts)) console.log(`ℹ ${name} ${count}`)
  console.log(`ℹ files ${results.length}`)
  console.log(`ℹ duration_ms ${Math.round(performance.now() - begun)}`)
  const { idle, all } = processorTimes()
  const share = (idle - timesBefore.idle) / (all - timesBefore.all)
  // Much of it: more files at once would be done sooner.
  console.log(`ℹ processors_idle_percent ${Math.round(100 * share)}`)
  const failed = results.filter(({ result }) => !result.passed)
  const besideOthers = results.filter(({ first }) => first)
  // Once more at the end: of a long log often only the end is kept.
  for (const { run, first } of besideOthers)
    console.log(`\n${nameOf(run)}, beside others\n${failuresOf(first!.output)}`)
  if (besideOthers.length > 0) console.log(`\nfailed beside others, passed alone: ${namesOf(besideOthers)}`)
  if (results.length === 0) {
    console.log('no file has such a name')
    process.exitCode = 1
  }
  if (failed.length === 0) return
  process.exitCode = 1
  for (const { run, result } of failed) console.log(`\n${nameOf(run)}\n${failuresOf(result.output)}`)
  console.log(`\nfailed: ${namesOf(failed)}`)
}

/** What the processors of the machine did since it started, in milliseconds. */
function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times)
  const idle = times.reduce((sum, one) => sum + one.idle, 0)
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
}
