import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesOf, type RanFile, runFailedAgain } from './run-again.ts'
import type { TestResult } from './run-file.ts'

const ended = (passed: boolean, output = ''): TestResult => ({
  ...{ passed, output, seconds: 1, counts: { tests: 1 }, skipped: {} },
})
const file = (name: string, result: TestResult): RanFile => ({
  run: { file: `test/${name}.test.ts`, postgres: false, alone: true },
  result,
})

/** Runs failed files again, each of which then passes or not. */
async function again(files: readonly RanFile[], passes: (name: string) => boolean) {
  const ran: string[] = []
  const after = await runFailedAgain(files, async (run) => {
    ran.push(run.file)
    return ended(passes(run.file), 'again')
  })
  return { ran, after }
}

test('runFailedAgain() runs failed files alone once more, and tells how one failed that passes then', async () => {
  const files = [
    file('api/a', ended(true)),
    file('api/b', ended(false, 'at first')),
    file('api/c', ended(false)),
  ]
  const { ran, after } = await again(files, (name) => name.includes('/b.'))
  assert.deepEqual(ran, ['test/api/b.test.ts', 'test/api/c.test.ts'])
  assert.deepEqual(
    after.map(({ result, first }) => [result.passed, first?.output]),
    [
      [true, undefined],
      [true, 'at first'],
      [false, undefined],
    ],
  )
  assert.equal(namesOf(after.filter(({ first }) => first)), 'test/api/b.test.ts')
})

test('runFailedAgain() runs nothing again where many failed, nor what finds seldom faults of the product', async () => {
  const many = ['a', 'b', 'c'].map((name) => file(`api/${name}`, ended(false)))
  assert.deepEqual(await again(many, () => true), { ran: [], after: many })
  const chaos = [file('e2e/engine-chaos', ended(false)), file('postgres/chaos', ended(false))]
  assert.deepEqual(await again(chaos, () => true), { ran: [], after: chaos })
})
