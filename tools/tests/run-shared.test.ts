import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { SharedRuns } from './run-shared.ts'

/** Writes test files, and runs them one after another with a database each, in processes that they share. */
async function runAll(
  t: TestContext,
  files: readonly [code: string, postgres?: boolean][],
  longestMs?: number,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-shared-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const shared = new SharedRuns(process.env, longestMs)
  const results = []
  for (const [at, [code, postgres = false]] of files.entries()) {
    const file = path.join(folder, `${at}.test.mjs`)
    writeFileSync(file, `import { after, test } from 'node:test'\n${code}`)
    results.push(await shared.run({ file, postgres, alone: false }))
  }
  await shared.end()
  return results
}

const SAYS_PROCESS =
  'test("one", () => console.log("process", process.pid, process.env.SLUICE_TEST_DATABASE))'
const processOf = ({ output }: { output: string }) => /process (\d+ \w+)/.exec(output)?.[1]

test('SharedRuns runs files of one database in one process, each with its counts and what it wrote', async (t) => {
  const [first, second, other] = await runAll(t, [
    [`${SAYS_PROCESS}; after(() => console.log('the hook of the first'))`],
    [`${SAYS_PROCESS}; test('two', { skip: 'no server' }, () => {})`],
    [SAYS_PROCESS, true],
  ])
  assert.ok(processOf(first!)?.endsWith('undefined'))
  assert.equal(processOf(second!), processOf(first!))
  assert.ok(processOf(other!)?.endsWith('postgres'))
  assert.deepEqual([first!.passed, second!.passed, other!.passed], [true, true, true])
  assert.deepEqual([first!.counts.tests, second!.counts.tests], [1, 2])
  assert.deepEqual(second!.skipped, { 'no server': 1 })
  assert.ok(first!.output.includes('the hook of the first') && !second!.output.includes('the hook'))
})

test('SharedRuns says what failed, goes on in a new process after it, and after the end of one', async (t) => {
  const results = await runAll(t, [
    [SAYS_PROCESS],
    ['test("one", () => { throw new Error("no otters") })'],
    [SAYS_PROCESS],
    ['test("one", () => process.kill(process.pid, "SIGKILL"))'],
    ['throw new Error("no module")'],
    [SAYS_PROCESS],
  ])
  assert.deepEqual(
    results.map(({ passed }) => passed),
    [true, false, true, false, false, true],
  )
  assert.match(results[1]!.output, /no otters/)
  assert.match(results[3]!.output, /ended with SIGKILL/)
  assert.match(results[4]!.output, /no module/)
  assert.notEqual(processOf(results[2]!), processOf(results[0]!))
})

test('SharedRuns runs a file by itself that leaves its process, as one does that lacks what it needs', async (t) => {
  const [lacking, next] = await runAll(t, [
    [
      `test('all', { skip: 'no server' }, () => {})
      process.once('exit', () => { process.exitCode = 0 })
      if (process.connected) process.disconnect()
      await new Promise(() => {})`,
    ],
    [SAYS_PROCESS],
  ])
  assert.deepEqual([lacking!.passed, lacking!.skipped], [true, { 'no server': 1 }])
  assert.equal(next!.passed, true)
})

test('SharedRuns tells of a file that does not end what kept its process, and after which files', async (t) => {
  const hangs = `${SAYS_PROCESS}; setInterval(() => {}, 60_000)`
  const [, hung, next] = await runAll(t, [[SAYS_PROCESS], [hangs], [SAYS_PROCESS]], 3000)
  assert.equal(hung!.passed, false)
  assert.match(hung!.output, /^ended with SIGKILL: it did not end after 0\.test\.mjs\n.*is kept by timer/ms)
  assert.equal(next!.passed, true)
})
