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
const COLLECT = new URL('./collect-garbage.ts', import.meta.url).href

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

test('keepHeapSmall() has V8 take room again, after a collection gave it back, only up to the limit', async () => {
  const settled = `
    const { keepHeapSmall } = await import('${MODULE}')
    const { releaseRoom } = await import('${COLLECT}')
    keepHeapSmall()
    const v8 = await import('node:v8')
    const young = () => v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size
    const started = Array.from({ length: 500_000 }, (_, n) => ({ n, text: String(n) })).length
    if (young() < ${16 * 2 ** 20}) throw new Error(\`\${young()} bytes before\`)
    releaseRoom()
    if (young() > ${2 * 2 ** 20}) throw new Error(\`\${young()} bytes after\`)`
  const megabytes = await youngMegabytes(settled)
  assert.ok(megabytes >= 8 && megabytes <= 32, `${megabytes} MB`)
})
