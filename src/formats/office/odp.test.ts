import assert from 'node:assert/strict'
import { test } from 'node:test'
import { odf, odsCell, odsRow, odtParagraph as paragraph } from '../../../test/support/odf-files.ts'
import { readAll } from '../../../test/support/office-files.ts'
import { readOdp } from './odp.ts'

const page = (content: string, style = '') =>
  `<draw:page draw:name="p" draw:style-name="${style}">${content}</draw:page>`
const frame = (content: string, role = 'outline') =>
  `<draw:frame presentation:class="${role}"><draw:text-box>${content}</draw:text-box></draw:frame>`

test('readOdp gives a document per slide: title, shapes, notes, comments [formats:open-document]', async () => {
  const list = `<text:list><text:list-item>${paragraph('one')}<text:list><text:list-item>${paragraph('deep')}</text:list-item></text:list></text:list-item></text:list>`
  const table = `<draw:frame><table:table>${odsRow(odsCell('a'), odsCell('b'))}</table:table></draw:frame>`
  const group = `<draw:g><draw:custom-shape>${paragraph('grouped')}</draw:custom-shape>${frame(paragraph('too'))}</draw:g>`
  const notes = `<presentation:notes><draw:page-thumbnail/>${frame(paragraph('say this'), 'notes')}${frame(paragraph('4'), 'page-number')}</presentation:notes>`
  const comment = `<office:annotation><dc:creator>Ada</dc:creator>${paragraph('why')}</office:annotation>`
  const first = page(
    frame(list) +
      frame(paragraph('Plan'), 'title') +
      table +
      group +
      frame(paragraph('12'), 'page-number') +
      comment +
      notes,
  )
  const { parts } = await readAll(
    readOdp,
    odf('presentation', first + page('') + page(frame(paragraph('third')))),
  )
  assert.deepEqual(parts, [
    {
      pageContent:
        '# Plan\n\n- one\n  - deep\n\n| a | b |\n| --- | --- |\n\ngrouped\n\ntoo\n\nNotes: say this\n\nComment by Ada: why',
      metadata: { slideNumber: 1 },
      last: true,
    },
    { pageContent: 'third', metadata: { slideNumber: 3 }, last: true },
  ])
})

test('readOdp marks hidden slides, and counts pictures [formats:open-document]', async () => {
  const automatic =
    '<style:style style:name="dp1"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
  const body = page(frame(paragraph('secret')), 'dp1') + page('<draw:frame><draw:image/></draw:frame>')
  const { parts, dropped } = await readAll(readOdp, odf('presentation', body, { automatic }))
  assert.deepEqual(
    parts.map(({ pageContent, metadata }) => [pageContent, metadata]),
    [['secret', { slideNumber: 1, hidden: true }]],
  )
  assert.deepEqual(dropped, [{ kind: 'picture', count: 1 }])
})

test('readOdp reads drawings, and refuses other, damaged and hostile files', async () => {
  const { parts } = await readAll(readOdp, odf('drawing', page(`<draw:rect>${paragraph('box')}</draw:rect>`)))
  assert.equal(parts[0]?.pageContent, 'box')
  await assert.rejects(readAll(readOdp, odf('text', '')), { code: 'file_unreadable' })
  await assert.rejects(readAll(readOdp, Buffer.from('PK')), { code: 'file_unreadable' })
  await assert.rejects(readAll(readOdp, odf('presentation', '<draw:g>'.repeat(300))), {
    code: 'file_over_limit',
  })
})
