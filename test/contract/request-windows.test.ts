import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RequestWindows } from '../../src/contract/request-windows.ts'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { postgresRequestWindows } from '../../src/db/postgres/request-windows.ts'
import { memoryWindows } from '../../src/kit/memory-windows.ts'
import { newPostgres } from '../support/postgres.ts'
import { needs } from '../support/needs.ts'
import { until } from '../support/until.ts'

await needs('PostgreSQL')

const { address, drop } = await newPostgres()
const members = await Promise.all([openPostgres(address), openPostgres(address)])
after(async () => {
  await Promise.all(members.map((member) => member.close()))
  await drop()
})

const WINDOWS: Record<string, RequestWindows> = {
  'windows in memory': memoryWindows(),
  'windows in PostgreSQL': postgresRequestWindows(members[0]!),
}

for (const [name, windows] of Object.entries(WINDOWS)) {
  test(`${name} count each key apart, up to its limit`, async () => {
    const first = await windows.count('a', 2, 60_000)
    assert.deepEqual([first.used, first.isRefused], [1, false])
    assert.ok(first.resetMs > 0 && first.resetMs <= 60_000)
    assert.deepEqual([(await windows.count('a', 2, 60_000)).used], [2])
    const refused = await windows.count('a', 2, 60_000)
    assert.deepEqual([refused.used, refused.isRefused], [2, true])
    assert.equal((await windows.count('b', 2, 60_000)).used, 1)
    // A refused request is not counted: a higher limit has room again.
    assert.deepEqual((await windows.count('a', 4, 60_000)).isRefused, false)
  })

  test(`${name} begin a new window after the end of the first`, async () => {
    const isRefused = async () => (await windows.count('short', 1, 200)).isRefused
    // The window may end between two counts on a busy machine: then the later one begins another.
    await until(isRefused)
    await until(async () => !(await isRefused()))
    await until(isRefused)
  })
}

test('windows in PostgreSQL count what reaches several members at the same time', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      postgresRequestWindows(members[at % 2]!).count('shared', 25, 60_000),
    ),
  )
  assert.equal(answers.filter(({ isRefused }) => !isRefused).length, 25)
})
