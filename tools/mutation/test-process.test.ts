import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { TestProcess } from './test-process.ts'

const TEST = `
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { two } from './middle.ts'
let ready = 0
before(() => ready++)
after(() => assert.equal(ready, 1))
test('two() is two', { skip: false }, (t) => {
  t.after(() => {})
  assert.equal(two() * ready, 2)
})
`

test('TestProcess runs tests on a file as it is now, and goes on after one that hangs or ends the process', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-mutation-'))
  const write = (name: string, text: string) => writeFileSync(path.join(directory, name), text)
  write('package.json', '{ "type": "module" }')
  mkdirSync(path.join(directory, 'src'))
  write('src/middle.ts', "import { one } from './one.ts'\nexport const two = () => one() + one()\n")
  write('src/middle.test.ts', TEST)
  const process = new TestProcess(directory)
  t.after(() => {
    process.end()
    rmSync(directory, { recursive: true })
  })
  const verdict = (value: string, timeLimit = 300_000) => {
    write('src/one.ts', `export const one = (): number => ${value}\n`)
    const tests = ['src/middle.test.ts']
    return process.verdict({ directory, file: 'src/one.ts', tests }, timeLimit)
  }
  assert.equal(await verdict('1'), 'survived')
  assert.equal(await verdict('7'), 'killed')
  assert.equal(await verdict('1'), 'survived')
  assert.equal(await verdict('{ for (;;); }', 500), 'out of time')
  assert.equal(await verdict('process.exit(0)'), 'killed')
  assert.equal(await verdict('this is no TypeScript'), 'killed')
  assert.equal(await verdict('1'), 'survived')
})
