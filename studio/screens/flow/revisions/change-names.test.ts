import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeNames, readRevisionSearch } from './change-names.ts'

test('changeNames() has words for the fields of a flow, and keeps unknown ones', () => {
  assert.deepEqual(changeNames(['flowData', 'apikeyid', 'analytic']), ['Drawing', 'Key', 'analytic'])
})

test('readRevisionSearch() takes numbers of revisions alone', () => {
  assert.deepEqual(readRevisionSearch({ n: 3, with: 1 }), { n: 3, with: 1 })
  assert.deepEqual(readRevisionSearch({ n: 'x', with: 0.5 }), {})
})
