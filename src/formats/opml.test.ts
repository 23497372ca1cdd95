import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContent, textsIn } from '../../test/support/read-content.ts'

const opml = (body: string, head = '') =>
  `<?xml version="1.0"?><opml version="2.0"><head>${head}</head><body>${body}</body></opml>`

test('readOpml gives an outline as headings and lists, with notes and addresses [formats:outline]', async () => {
  const { documents } = await readContent(
    'opml',
    opml(
      `<outline text="Otters" _note="They swim.&#10;They dive."><outline text="Food"><outline text="Fish &amp; crabs" _note="A note."/></outline></outline>
<outline text="Sea" _note="It is cold."/><outline title="News" xmlUrl="https://zoo.example/feed" htmlUrl="https://zoo.example/"/>`,
      '<title>Animals</title><ownerName>Ada</ownerName><expansionState>1,2</expansionState>',
    ),
  )
  assert.deepEqual(documents, [
    {
      text: '## Otters\n\nThey swim.\nThey dive.\n\n- Food\n  - Fish & crabs\n    A note.\n\n## Sea\n\nIt is cold.\n\n## News (https://zoo.example/)',
      metadata: { title: 'Animals', author: 'Ada' },
    },
  ])
})

test('readOpml reads HTML in a line, and gives nothing for an empty outline [formats:outline]', async () => {
  assert.deepEqual(
    textsIn(await readContent('opml', opml('<outline text="&lt;b&gt;Otters&lt;/b&gt; swim"/>'))),
    ['- Otters swim'],
  )
  assert.deepEqual(textsIn(await readContent('opml', opml('<outline text=""/>'))), [])
})

test('readOpml refuses what is no outline, tells damage, and bounds depth and text [formats:outline]', async () => {
  await assert.rejects(readContent('opml', '<rss><channel/></rss>'), { code: 'file_unreadable' })
  await assert.rejects(readContent('opml', opml('<outline text="x">'.repeat(300))), {
    code: 'file_over_limit',
  })
  await assert.rejects(readContent('opml', opml('<outline text="long enough"/>'), { textLength: 5 }), {
    code: 'file_over_limit',
  })
  await assert.rejects(readContent('opml', opml('<outline/>'.repeat(9)), { htmlElements: 8 }), {
    code: 'file_over_limit',
  })
  const cut = await readContent('opml', '<opml><body><outline text="Otters"><outline text="swim')
  assert.deepEqual(textsIn(cut), ['- Otters'])
  assert.deepEqual(cut.dropped, [{ kind: 'damagedPart', count: 1 }])
})
