import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  odf,
  odfContent,
  odsCell,
  odsRow,
  odtHeading,
  odtParagraph as paragraph,
} from '../../../test/support/odf-files.ts'
import { onlyText, readAll } from '../../../test/support/office-files.ts'
import { readOdt } from './odt.ts'

const textOf = (body: string, extras = {}) => onlyText(readOdt, odf('text', body, extras))
const table = (...rows: string[]) => `<table:table>${rows.join('')}</table:table>`
const list = (style: string, items: string, attributes = '') =>
  `<text:list text:style-name="${style}" ${attributes}>${items}</text:list>`
const item = (content: string, attributes = '') => `<text:list-item ${attributes}>${content}</text:list-item>`

test('readOdt reads paragraphs, spaces, tabs, breaks, links and fields [formats:open-document]', async () => {
  const first = `  one\n two<text:s text:c="3"/>three<text:tab/><text:span>four</text:span> <text:span> five</text:span>`
  const second = `a<text:line-break/><text:a>link</text:a> on page <text:page-number>7</text:page-number>`
  assert.equal(
    await textOf(paragraph(first) + paragraph('  ') + paragraph(second)),
    'one two   three\tfour five\n\na\nlink on page 7',
  )
})

test('readOdt reads headings, the title of a document, and numbers of headings [formats:open-document]', async () => {
  const styles = `<office:styles><style:style style:name="Title"/><style:style style:name="P1" style:parent-style-name="Title"/>
    <style:style style:name="A" style:parent-style-name="B"/><style:style style:name="B" style:parent-style-name="A"/>
    <text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/>
    <text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>`
  const body = [
    paragraph('Plan', 'P1'),
    odtHeading(1, 'First'),
    odtHeading(2, 'Deep'),
    '<text:h text:outline-level="2" text:is-list-header="true">Plain</text:h>',
    odtHeading(1, 'Second'),
    paragraph('text', 'A'),
  ]
  assert.equal(
    await textOf(body.join(''), { styles }),
    '# Plan\n\n# I. First\n\n## I.1 Deep\n\n## Plain\n\n# II. Second\n\ntext',
  )
})

test('readOdt numbers lists as they are shown [formats:open-document]', async () => {
  const automatic = `<text:list-style style:name="N">
    <text:list-level-style-number text:level="1" style:num-format="1" style:num-prefix="Art. " style:num-suffix="." text:start-value="7"/>
    <text:list-level-style-number text:level="2" style:num-list-format="%1%%2%)" style:num-format="a"/></text:list-style>
    <text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="*"/>
    <text:list-level-style-number text:level="2" style:num-format=""/></text:list-style>`
  const body = [
    list(
      'N',
      item(paragraph('a') + paragraph('more') + list('N', item(paragraph('b')) + item(paragraph('c')))),
    ),
    paragraph('between'),
    list('N', item(paragraph('d')), 'text:continue-numbering="true"'),
    list('N', item(paragraph('e')) + item(paragraph('f'), 'text:start-value="20"'), 'xml:id="l1"'),
    list('N', item(paragraph('g')), 'text:continue-list="l1"'),
    list('N', '<text:list-header><text:p>no number</text:p></text:list-header>'),
    list('B', item(paragraph('h') + list('B', item(paragraph('i'))))),
    list('missing', item(paragraph('j'))),
  ]
  assert.deepEqual((await textOf(body.join(''), { automatic })).split('\n\n'), [
    'Art. 7. a',
    'more',
    '  7a) b',
    '  7b) c',
    'between',
    'Art. 8. d',
    'Art. 7. e',
    'Art. 20. f',
    'Art. 21. g',
    'no number',
    '- h',
    'i',
    '- j',
  ])
})

test('readOdt writes tables as markdown, with merged cells and tables in cells [formats:open-document]', async () => {
  const inner = table(odsRow(odsCell('x'), odsCell('y')))
  const body = table(
    `<table:table-header-rows>${odsRow(odsCell('wide', '', 'table:number-columns-spanned="2"'), '<table:covered-table-cell/>', odsCell('c'))}</table:table-header-rows>`,
    odsRow(odsCell('a|b'), `<table:table-cell>${inner}</table:table-cell>`, odsCell('')),
  )
  assert.equal(await textOf(body), '| wide |  | c |\n| --- | --- | --- |\n| a\\|b | x y |  |')
  assert.equal(await textOf(table(odsRow(odsCell('alone')))), 'alone')
})

test('readOdt reads notes and comments with their marks, and headers and footers once [formats:open-document]', async () => {
  const note = (kind: string, text: string) =>
    `<text:note text:note-class="${kind}"><text:note-citation>9</text:note-citation><text:note-body>${paragraph(text)}</text:note-body></text:note>`
  const comment = `<office:annotation><dc:creator>Ada</dc:creator><dc:date>2024</dc:date>${paragraph('why')}</office:annotation>`
  const margin = (kind: string, text: string) => `<style:${kind}>${paragraph(text)}</style:${kind}>`
  const styles = `<office:master-styles>${margin('header', 'Company')}${margin('header-first', 'Company')}
    ${margin('footer', '<text:page-number>3</text:page-number>')}${margin('footer-left', 'Confidential')}</office:master-styles>`
  assert.equal(
    await textOf(paragraph(`text${note('footnote', 'foot')}${note('endnote', 'end')}${comment}`), { styles }),
    'Company\n\ntext[^1][^e1][^c1]\n\n[^1]: foot\n\n[^e1]: end\n\n[^c1]: Ada: why\n\nConfidential',
  )
})

test('readOdt leaves out deleted text, templates of indexes and ruby, and counts pictures [formats:open-document]', async () => {
  const body = [
    `<text:tracked-changes><text:changed-region><text:deletion>${paragraph('deleted')}</text:deletion></text:changed-region></text:tracked-changes>`,
    paragraph('kept <text:change-start/>inserted'),
    `<text:table-of-content><text:table-of-content-source>${paragraph('template')}</text:table-of-content-source><text:index-body>${paragraph('1 Plan')}</text:index-body></text:table-of-content>`,
    paragraph(
      '<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>kanji</text:ruby-text></text:ruby>',
    ),
    paragraph('<draw:frame><svg:title>logo</svg:title><draw:image/></draw:frame>'),
  ]
  const { parts, dropped } = await readAll(readOdt, odf('text', body.join('')))
  assert.equal(parts[0]?.pageContent, 'kept inserted\n\n1 Plan\n\n漢字')
  assert.deepEqual(dropped, [{ kind: 'picture', count: 1 }])
})

test('readOdt reads text boxes after their paragraph, charts and equations where they are shown', async () => {
  const box = `<draw:frame><draw:text-box>${paragraph('boxed')}</draw:text-box></draw:frame>`
  const object = (name: string) =>
    `<draw:frame><draw:object xlink:href="./${name}"/><draw:image/></draw:frame>`
  const chart = odfContent(
    'chart',
    `<chart:chart><chart:title>${paragraph('Ducks')}</chart:title><chart:legend>${paragraph('no')}</chart:legend>
    ${table(odsRow(odsCell(''), odsCell('2024')), odsRow(odsCell('fresh'), odsCell('7'), odsCell('')))}</chart:chart>`,
  )
  const math =
    '<math><mrow><mi>x</mi></mrow><annotation encoding="StarMath 5.0">x = {a} over {b}</annotation></math>'
  const inList = list('L', item(paragraph(`item${box}`)))
  const { parts, dropped } = await readAll(
    readOdt,
    odf(
      'text',
      paragraph(`before${box} after${object('Object 1')}`) + paragraph(object('Object 2')) + inList,
      {
        parts: { 'Object 1/content.xml': chart, 'Object 2/content.xml': math },
      },
    ),
  )
  assert.equal(
    parts[0]?.pageContent,
    'before after\n\nboxed\n\nDucks\n\n|  | 2024 |\n| --- | --- |\n| fresh | 7 |\n\nx = {a} over {b}\n\n- item\n\nboxed',
  )
  assert.deepEqual(dropped, [])
})

test('readOdt gives title, author and times where the document has them', async () => {
  const meta =
    '<dc:title>Plan</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bob</dc:creator><meta:creation-date>2024-05-01</meta:creation-date>'
  const { parts } = await readAll(readOdt, odf('text', paragraph('text'), { meta }))
  assert.deepEqual(parts[0]?.metadata, { title: 'Plan', author: 'Ada', created: '2024-05-01' })
})

test('readOdt refuses encrypted, damaged and other files [formats:open-document]', async () => {
  const manifest = '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>'
  await assert.rejects(readAll(readOdt, odf('text', '', { manifest })), { code: 'file_encrypted' })
  await assert.rejects(readAll(readOdt, odf('spreadsheet', '')), { code: 'file_unreadable' })
  await assert.rejects(readAll(readOdt, Buffer.from('PK\x03\x04 cut')), { code: 'file_unreadable' })
  const torn = odf('text', '</office:text>'.repeat(60))
  await assert.rejects(readAll(readOdt, torn), { code: 'file_unreadable' })
  const { parts, notes } = await readAll(readOdt, odf('text', `${paragraph('whole')}<text:p>half`))
  assert.equal(parts[0]?.pageContent, 'whole\n\nhalf')
  assert.equal(notes.length, 1)
})

test('readOdt bounds hostile files: nesting, entities, repeated cells, long texts', async () => {
  const laughs = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>`
  const bomb = odfContent('text', paragraph('&b;')).replace('?>', `?>${laughs}`)
  assert.equal(await textOf('', { parts: { 'content.xml': bomb } }), '&b;')
  const deep = '<text:section>'.repeat(300)
  await assert.rejects(readAll(readOdt, odf('text', deep)), { code: 'file_over_limit' })
  const wide = table(
    odsRow('<table:table-cell table:number-columns-repeated="1000000000"/>'.repeat(1000), odsCell('x')),
  )
  await assert.rejects(readAll(readOdt, odf('text', wide), { textLength: 100_000 }), {
    code: 'file_over_limit',
  })
  const spaces = paragraph('x<text:s text:c="1000000000"/>'.repeat(300))
  await assert.rejects(readAll(readOdt, odf('text', spaces), { textLength: 100_000 }), {
    code: 'file_over_limit',
  })
  const zeros = odf('text', '', { stored: false, parts: { 'content.xml': Buffer.alloc(4 * 2 ** 20) } })
  await assert.rejects(readAll(readOdt, zeros), { code: 'file_over_limit' })
})
