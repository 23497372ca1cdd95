import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChosenFile } from '../../../parts/chosen-files.ts'
import { takenOut } from './taken-out.ts'

const files = ['a.txt', 'b.txt', 'c.txt'].map((path): ChosenFile => ({ path, file: new File([], path) }))
const paths = (some: readonly ChosenFile[]) => some.map(({ path }) => path)

test('takenOut() takes single files out and puts them back in their place; other sources are no files', () => {
  const without = takenOut(files, files).toggled('b.txt')
  assert.deepEqual(paths(without), ['a.txt', 'c.txt'])
  const then = takenOut(files, without)
  assert.deepEqual([then.count, then.isOut('b.txt'), then.isOut('a.txt')], [1, true, false])
  assert.deepEqual(paths(then.toggled('b.txt')), ['a.txt', 'b.txt', 'c.txt'])
  assert.equal(then.isFile('https://example.com'), false)
})
