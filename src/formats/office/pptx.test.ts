import assert from 'node:assert/strict'
import { test } from 'node:test'
import { officeFile, readAll } from '../../../test/support/office-files.ts'
import { readPptx } from './pptx.ts'

const NAMES = 'xmlns:p="p" xmlns:a="a" xmlns:r="r" xmlns:c="c" xmlns:dgm="dgm" xmlns:mc="mc"'
const slide = (shapes: string, attributes = '') =>
  `<p:sld ${NAMES} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
const paragraph = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (content: string, role = '') =>
  `<p:sp><p:nvSpPr><p:nvPr>${role && `<p:ph type="${role}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${content}</p:txBody></p:sp>`
const text = (words: string) => shape(paragraph(words))

const MAIN = 'ppt/presentation.xml'
type Relations = Record<string, [type: string, target: string]>

/** A deck of these slides; `related` are further parts by name and the relationships of slides by slide name. */
function deck(
  slides: Record<string, string>,
  related: { parts?: Record<string, string>; relations?: Record<string, Relations>; main?: Relations } = {},
): Buffer {
  const names = Object.keys(slides)
  const ids = names.map((name, index) => `<p:sldId id="${300 - index}" r:id="${name}"/>`)
  return officeFile(
    MAIN,
    {
      [MAIN]: `<p:presentation ${NAMES}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
      ...Object.fromEntries(names.map((name) => [`ppt/slides/${name}.xml`, slides[name]!])),
      ...related.parts,
    },
    {
      [MAIN]: {
        ...Object.fromEntries(
          names.toReversed().map((name) => [name, ['slide', `slides/${name}.xml`]] as const),
        ),
        ...related.main,
      } as Relations,
      ...Object.fromEntries(
        Object.entries(related.relations ?? {}).map(([name, relations]) => [
          `ppt/slides/${name}.xml`,
          relations,
        ]),
      ),
    },
  )
}

async function textsOf(bytes: Uint8Array): Promise<string[]> {
  const { parts } = await readAll(readPptx, bytes)
  return parts.map(({ pageContent }) => pageContent)
}

test('readPptx gives a document per slide in the order of the presentation', async () => {
  const { parts } = await readAll(
    readPptx,
    deck({ slide2: slide(text('first')), slide1: slide(''), slide3: slide(text('third'), 'show="0"') }),
  )
  assert.deepEqual(parts, [
    { pageContent: 'first', metadata: { slideNumber: 1, documentType: 'powerpoint' }, last: true },
    {
      pageContent: 'third',
      metadata: { slideNumber: 3, documentType: 'powerpoint', hidden: true },
      last: true,
    },
  ])
})

test('readPptx puts the title first and leaves out slide numbers and dates', async () => {
  const shapes =
    shape(paragraph('text') + paragraph(' ') + paragraph('more')) +
    shape(paragraph('The') + paragraph('title'), 'ctrTitle') +
    shape(paragraph('7'), 'sldNum') +
    shape(paragraph('May'), 'dt') +
    shape(paragraph('footer'), 'ftr')
  assert.deepEqual(await textsOf(deck({ s: slide(shapes) })), ['# The title\n\ntext\nmore\n\nfooter'])
})

test('readPptx tells pictures, embedded files, slide numbers and dates by slide [upsert:dropped:kinds]', async () => {
  const furniture = shape(paragraph('7'), 'sldNum') + shape(paragraph('May'), 'dt') + shape('', 'sldNum')
  const embedded = '<p:graphicFrame><p:oleObj/></p:graphicFrame>'
  const { dropped } = await readAll(
    readPptx,
    deck({ a: slide(`${text('a')}<p:pic/>`), b: slide(`${furniture}<p:pic/><p:pic/>`), c: slide(embedded) }),
  )
  assert.deepEqual(dropped, [
    { kind: 'picture', count: 3, place: { page: 1, lastPage: 2 } },
    { kind: 'pageNumber', count: 1, place: { page: 2 } },
    { kind: 'repeatedLine', count: 1, place: { page: 2 } },
    { kind: 'attachment', count: 1, place: { page: 3 } },
  ])
})

test('readPptx reads groups, breaks, fields and only one branch of an alternative', async () => {
  const group = `<p:grpSp>${text('grouped')}<p:grpSp>${text('deeper')}</p:grpSp></p:grpSp>`
  const broken = shape('<a:p><a:r><a:t>one</a:t></a:r><a:br/><a:fld><a:t>two</a:t></a:fld></a:p>')
  const either = `<mc:AlternateContent><mc:Choice>${text('choice')}</mc:Choice><mc:Fallback>${text('fallback')}</mc:Fallback></mc:AlternateContent>`
  const texts = await textsOf(deck({ s: slide(group + broken + either) }))
  assert.deepEqual(texts, ['grouped\n\ndeeper\n\none\ntwo\n\nchoice'])
})

test('readPptx shows bullets and numbers of lists', async () => {
  const numbered = (type: string, level = 0, start = '') =>
    `<a:pPr lvl="${level}"><a:buAutoNum type="${type}" ${start}/></a:pPr>`
  const lines = [
    paragraph('a', numbered('arabicPeriod', 0, 'startAt="3"')),
    paragraph('b', numbered('alphaLcParenR', 1)),
    paragraph('c', numbered('alphaLcParenR', 1)),
    paragraph('d', numbered('arabicPeriod')),
    paragraph('e', numbered('romanUcParenBoth')),
    paragraph('f', '<a:pPr><a:buChar char="x"/></a:pPr>'),
    paragraph('g', '<a:pPr lvl="1"/>'),
    paragraph('h'),
  ]
  assert.deepEqual(await textsOf(deck({ s: slide(shape(lines.join(''))) })), [
    '3. a\n  a) b\n  b) c\n4. d\n(I) e\n- f\n  - g\nh',
  ])
})

test('readPptx writes tables as markdown', async () => {
  const cell = (...words: string[]) =>
    `<a:tc><a:txBody>${words.map((word) => paragraph(word)).join('')}</a:txBody></a:tc>`
  const rows = [cell('a') + cell('b', 'c'), cell('d|e') + cell()].map((cells) => `<a:tr>${cells}</a:tr>`)
  const frame = `<p:graphicFrame><a:tbl>${rows.join('')}</a:tbl></p:graphicFrame>`
  assert.deepEqual(await textsOf(deck({ s: slide(frame) })), ['| a | b c |\n| --- | --- |\n| d\\|e |  |'])
})

const points = (...values: string[]) =>
  values
    .map((value, index) => (value === '' ? '' : `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`))
    .join('')
const series = (name: string, values: string) =>
  `<c:ser><c:tx><c:v>${name}</c:v></c:tx><c:dLbls><c:tx><c:v>label</c:v></c:tx></c:dLbls>
   <c:cat>${points('Q1', 'Q2', 'Q3')}</c:cat><c:val><c:numCache><c:formatCode>General</c:formatCode>${values}</c:numCache></c:val></c:ser>`

test('readPptx reads charts and SmartArt in place, each once', async () => {
  const chart = `<c:chartSpace ${NAMES}><c:title>${paragraph('Ducks')}</c:title>
    ${series('Fresh', points('0.10000000000000001', '', '3'))}${series('Salt', points('4', '5'))}</c:chartSpace>`
  const art = `<dgm:dataModel ${NAMES}><dgm:pt><dgm:t>${paragraph('plan')}</dgm:t></dgm:pt><dgm:pt><dgm:t>${paragraph('do')}</dgm:t></dgm:pt></dgm:dataModel>`
  const shown =
    '<p:graphicFrame><c:chart r:id="rId1"/></p:graphicFrame><p:graphicFrame><dgm:relIds r:dm="rId2"/></p:graphicFrame>'
  const bytes = deck(
    { s: slide(`${text('before')}${shown}${shown}${text('after')}<c:chart r:id="rId9"/>`) },
    {
      parts: { 'ppt/charts/c.xml': chart, 'ppt/diagrams/d.xml': art },
      relations: {
        s: {
          rId1: ['chart', '../charts/c.xml'],
          rId2: ['diagramData', '../diagrams/d.xml'],
          rId9: ['chart', 'no'],
        },
      },
    },
  )
  assert.deepEqual(await textsOf(bytes), [
    'before\n\nDucks\n\n|  | Fresh | Salt |\n| --- | --- | --- |\n| Q1 | 0.1 | 4 |\n| Q2 |  | 5 |\n| Q3 | 3 |  |\n\nplan\ndo\n\nafter',
  ])
})

test('readPptx reads notes and the comments of both kinds with their authors', async () => {
  const notes =
    shape(paragraph('say this'), 'body') +
    shape(paragraph('3'), 'sldNum') +
    shape(paragraph('Company'), 'hdr')
  const bytes = deck(
    { s: slide(text('slide')) },
    {
      parts: {
        'ppt/notes.xml': slide(notes).replaceAll('p:sld', 'p:notes'),
        'ppt/old.xml': `<p:cmLst ${NAMES}><p:cm authorId="0"><p:text>old</p:text></p:cm><p:cm authorId="8"><p:text>whose</p:text></p:cm></p:cmLst>`,
        'ppt/new.xml': `<p:cmLst ${NAMES}><p:cm authorId="{1}"><p:replyLst><p:reply authorId="0"><p:txBody>${paragraph('reply')}</p:txBody></p:reply></p:replyLst><p:txBody>${paragraph('new')}</p:txBody></p:cm></p:cmLst>`,
        'ppt/oldAuthors.xml': `<p:l ${NAMES}><p:cmAuthor id="0" name="Ada"/></p:l>`,
        'ppt/newAuthors.xml': `<p:l ${NAMES}><p:author id="{1}" name="Bob"/></p:l>`,
      },
      relations: {
        s: {
          n: ['notesSlide', '../notes.xml'],
          o: ['comments', '../old.xml'],
          c: ['comments', '/ppt/new.xml'],
        },
      },
      main: { a: ['commentAuthors', 'oldAuthors.xml'], b: ['authors', 'newAuthors.xml'] },
    },
  )
  assert.deepEqual(await textsOf(bytes), [
    'slide\n\nNotes: say this\n\nComment by Ada: old\n\nComment: whose\n\nComment by Ada: reply\n\nComment by Bob: new',
  ])
})

test('readPptx reads each slide once, even if it is listed twice, and skips missing slides', async () => {
  const ids = '<p:sldId r:id="a"/><p:sldId r:id="none"/><p:sldId r:id="gone"/>'.repeat(1000)
  const bytes = officeFile(
    MAIN,
    { [MAIN]: `<p:presentation ${NAMES}>${ids}</p:presentation>`, 'ppt/a.xml': slide(text('once')) },
    { [MAIN]: { a: ['slide', 'a.xml'], gone: ['slide', 'gone.xml'] } },
  )
  assert.deepEqual(await textsOf(bytes), ['once'])
})

test('readPptx notes that a slide is damaged and reads the others', async () => {
  const { parts, notes } = await readAll(readPptx, deck({ a: '<'.repeat(100), b: slide(text('fine')) }))
  assert.deepEqual(
    parts.map(({ pageContent }) => pageContent),
    ['fine'],
  )
  assert.deepEqual(notes, ['ppt/slides/a.xml is damaged; some of its text is missing'])
})

test('readPptx refuses other files, and small files that give large texts', async () => {
  const word = officeFile('word/document.xml', { 'word/document.xml': '<document/>' })
  await assert.rejects(readAll(readPptx, word), { code: 'file_unreadable' })
  const far = Array.from({ length: 500 }, (_, index) =>
    series('', `<c:pt idx="${index}"><c:v>1</c:v></c:pt>`),
  )
  const bytes = deck(
    { s: slide('<c:chart r:id="c"/>') },
    {
      parts: { 'ppt/c.xml': `<c:c ${NAMES}>${far.join('')}</c:c>` },
      relations: { s: { c: ['chart', '../c.xml'] } },
    },
  )
  await assert.rejects(readAll(readPptx, bytes, { textLength: 100_000 }), { code: 'file_over_limit' })
})
