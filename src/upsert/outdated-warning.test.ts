import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noChunks } from './outcome.ts'
import { outdatedWarning } from './outdated-warning.ts'

const file = (name: string, outdated?: number) => ({
  ...{ name, status: 'indexed' as const, ...noChunks },
  ...(outdated === undefined ? {} : { outdated }),
})

test('outdatedWarning() names the number, the first files and the way out', () => {
  assert.equal(outdatedWarning([file('a'), file('b', 0)], true), undefined)
  assert.equal(
    outdatedWarning([file('a'), file('b', 1)], true),
    '1 chunk of an earlier version of b stays and is still found. Set Cleanup of the record manager to incremental and load the files again',
  )
  assert.equal(
    outdatedWarning(
      ['a', 'b', 'c', 'd', 'e'].map((name) => file(name, 2)),
      false,
    ),
    '10 chunks of earlier versions of a, b, c, 2 more stay and are still found. Add a record manager with the cleanup incremental and load the files again',
  )
})
