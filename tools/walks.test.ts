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

/** An upload, a query, a prediction. A longer way through the code is a reason to shorten it, not the list. */
const LONGEST = [25, 25, 25]

test('the walks of docs/architecture.md name files that exist, and get no longer', () => {
  const lists = walks()
  assert.equal(lists.length, LONGEST.length)
  for (const [at, files] of lists.entries()) {
    const longest = LONGEST[at]!
    assert.ok(
      files.length > 1 && files.length <= longest,
      `walk ${at + 1} has ${files.length} files, not ${longest}`,
    )
    assert.deepEqual(
      files.filter((file) => !existsSync(path.join(root, 'src', file))),
      [],
    )
  }
})
