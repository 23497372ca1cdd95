import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugOf } from './slug.ts'

for (const [name, slug] of [
  ['My Flow!', 'my-flow'],
  ['  Crème   brûlée -- 2 ', 'creme-brulee-2'],
  ['ＦＵＬＬ width', 'full-width'],
  ['日本語', 'flow'],
  ['', 'flow'],
  [`${'a'.repeat(89)} b`, 'a'.repeat(89)],
  ['x'.repeat(200), 'x'.repeat(90)],
])
  test(`slugOf() makes ${JSON.stringify(slug)} of ${JSON.stringify(name)}`, () => {
    assert.equal(slugOf(name!), slug)
  })
