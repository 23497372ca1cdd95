import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** By hand: 10 million, of which a set of all ids would take a gigabyte. A set of these takes about 30 MB. */
const COUNT = Number(process.env.MANY_IDS ?? 300_000)
/** The heap of the process, in MB: a set of all ids does not fit, and garbage is not left there for long. */
const HEAP = ['--max-old-space-size=20', '--max-semi-space-size=2']
const MOST_MB = 100

test('the comparison and the repair of an engine keep no list of all ids in memory, and look up only few of them [verify:memory]', async () => {
  const child = path.resolve(import.meta.dirname, '../support/many-ids-child.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [...HEAP, child, `${COUNT}`])
  const { grownMB, asked, ...found } = JSON.parse(stdout) as Record<string, number>
  assert.deepEqual(found, { missing: 5, surplus: 3, deleted: 3, lost: 5 })
  assert.ok(asked! < COUNT / 1000, `${asked} of ${COUNT} were looked up`)
  assert.ok(grownMB! < MOST_MB, `${grownMB} MB more`)
})
