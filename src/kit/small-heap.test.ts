import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** Creates many short-lived objects. Prints how many megabytes V8 has taken for new objects. */
const WORK = `
  const { setImmediate } = await import('node:timers/promises')
  const { getHeapSpaceStatistics } = await import('node:v8')
  const lasting = []
  for (let round = 0; round < 400; round++) {
    lasting[round % 40] = Array.from({ length: 5000 }, (_, n) => ({ n, text: String(n) }))
    await setImmediate()
  }
  console.log(getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20)`

const MODULE = new URL('./small-heap.ts', import.meta.url).href

async function youngMegabytes(before: string): Promise<number> {
  const script = `${before}\n${WORK}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return Number(stdout)
}

test('keepHeapSmall() has V8 stop to take more room for new objects early', async () => {
  const small = `const { keepHeapSmall } = await import('${MODULE}'); keepHeapSmall()`
  const [kept, left] = [await youngMegabytes(small), await youngMegabytes('')]
  assert.ok(kept > 0 && kept <= 32, `${kept} MB`)
  assert.ok(left > kept, `${left} MB without, ${kept} MB with`)
})
