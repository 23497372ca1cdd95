import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadComparison } from '../../../server/refresh.ts'
import { changeText } from './change-bar-text.ts'

const comparison = (more: Partial<LoadComparison> = {}): LoadComparison => ({
  ...{ next: 'refresh', differing: 9, fromKept: 9, fromLoaders: 0, unknownSettings: 0, embedders: null },
  filesNeeded: { count: 0, names: [] },
  differences: [{ differing: 9, summary: 'Chunk Size 1000 → 600', changes: [] }],
  ...more,
})
const savedAt = new Date(Date.now() - 5 * 3_600_000).toISOString()
const draft = { number: 1, base: 3, savedAt, savedBy: 'Ada', stale: false, flowData: '{}' }
const live = { draft: null, summary: '', revision: 3 }
const drafted = { draft, summary: 'Chunk Size 1000 → 600', revision: 3 }

test('changeText() says what is not loaded yet, and nothing where all is', () => {
  assert.equal(changeText(live, undefined), undefined)
  assert.equal(changeText(live, comparison({ next: null })), undefined)
  assert.deepEqual(changeText(live, comparison()), {
    text: 'Chunk Size 1000 → 600 is not in 9 loaded documents yet.',
    details: [],
  })
  const needed = comparison({ next: 'send', differing: 1, filesNeeded: { count: 1, names: ['a.txt'] } })
  assert.deepEqual(changeText(live, needed)!.details, ['1 file not kept, to be sent again: a.txt.'])
  const embedders = { from: 'old', to: 'new' }
  assert.match(changeText(live, comparison({ next: 'reindex', embedders }))!.text, /embedded with old/)
})

test('changeText() says what of a draft is not live and not loaded, by whom, and that it is stale', () => {
  assert.deepEqual(changeText(drafted, comparison()), {
    text: 'Chunk Size 1000 → 600 is not live, and not in 9 loaded documents yet.',
    details: ['Draft of revision 3 by Ada, 5 hours ago.'],
  })
  assert.equal(changeText(drafted, undefined)!.text, 'Chunk Size 1000 → 600 is not live.')
  assert.equal(
    changeText({ ...drafted, summary: '' }, undefined)!.text,
    'The draft does the same as the live flow.',
  )
  const stale = { ...drafted, draft: { ...draft, stale: true }, revision: 5 }
  assert.equal(
    changeText(stale, undefined)!.details[1],
    'The live drawing was changed since: its revision is 5.',
  )
})
