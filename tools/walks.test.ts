import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '..')

/** The numbered lists of files under the heading "Walks". */
function walks(): string[][] {
  const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
  const section = page.split('\n## ').find((part) => part.startsWith('Walks\n')) ?? ''
  const lists: string[][] = []
  for (const [, number, file] of section.matchAll(/^(\d+)\. `([^`]+)`/gm)) {
    if (number === '1') lists.push([])
    lists.at(-1)!.push(file!)
  }
  return lists
}

/** The goal is 25. A longer way through the code is a reason to shorten it, not the list. */
const LONGEST = 40

test('the walks of docs/architecture.md name files that exist, and get no longer', () => {
  const lists = walks()
  assert.equal(lists.length, 3)
  for (const files of lists) {
    assert.ok(files.length > 1 && files.length <= LONGEST, String(files.length))
    assert.deepEqual(
      files.filter((file) => !existsSync(path.join(root, 'src', file))),
      [],
    )
  }
})
