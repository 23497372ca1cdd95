import nodeTest, { type HookFn, type TestContext, type TestOptions } from 'node:test'

/*
 * What test files get as `node:test` in `test-child.ts`: the same tests, of which it is noted whether all of a file passed. After the
 * first failure the others are not run.
 */
type Work = (t: TestContext) => unknown

let passed = true
let tests: Promise<void>[] = []
let begun: Promise<unknown> = Promise.resolve()
let ends: (() => unknown)[] = []

export function beginFile(): void {
  passed = true
  tests = []
  ends = []
  begun = Promise.resolve()
}

export const noteFailure = (): void => {
  passed = false
}

/** Waits for all tests of the file, and undoes what it has set up. Resolves with whether all passed. */
export async function endFile(): Promise<boolean> {
  await Promise.all(tests)
  for (const end of ends) await Promise.resolve().then(end).catch(noteFailure)
  return passed
}

/** @param given options and the test, or the test alone */
export function test(name: string, ...given: [Work] | [TestOptions, Work]): Promise<void> {
  const [options, work] = given.length === 1 ? [{}, given[0]] : given
  const done = nodeTest(name, options, async (t) => {
    if (!passed) return
    try {
      await begun
      await work(t)
    } catch (error) {
      noteFailure()
      throw error
    }
  })
  tests.push(done)
  return done
}

export default test

// Those of node:test are for the whole process.
export const before = (work: HookFn): void => {
  begun = begun.then(() => (work as () => unknown)())
}
export const after = (work: HookFn): void => void ends.push(work as () => unknown)

export { mock } from 'node:test'
