import { writeZip } from '../../test/support/zip-writer.ts'
import type { About, Block } from './blocks.ts'
import { escapeXml, opening, type Part, RELATIONS, relations, withContentTypes } from './office.ts'
import { THEME } from './theme.ts'

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const NAMESPACES = `xmlns:a="${DRAWING}" xmlns:r="${RELATIONS}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`
const TYPE = 'officedocument.presentationml'
const COLOURS =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'

const style = (role: string, size: number, bold: 0 | 1) =>
  `<p:${role}><a:lvl1pPr><a:spcBef><a:spcPts val="700"/></a:spcBef><a:defRPr sz="${size * 100}" b="${bold}"/></a:lvl1pPr></p:${role}>`
const TEXT = `<p:txStyles>${style('titleStyle', 32, 1)}${style('bodyStyle', 20, 0)}</p:txStyles>`

/** English Metric Units in an inch; the slide is 10 by 7.5 inches. */
const INCH = 914_400
const frame = (x: number, y: number, width: number, height: number) =>
  `<a:off x="${x * INCH}" y="${y * INCH}"/><a:ext cx="${width * INCH}" cy="${height * INCH}"/>`

type Slide = { title: string; body: Block[]; notes: string }

/** Writes a presentation: a slide for each heading, lists and tables on it, the notes of the speaker below it. */
export function pptx(blocks: Block[], about: About): Buffer {
  const slides = slidesOf(blocks)
  const numbered = slides.map((slide, index) => ({ slide, number: index + 1 }))
  return writeZip(
    withContentTypes([
      ...opening('ppt/presentation.xml', about),
      part('presentation', 'presentation.main', presentation(slides.length)),
      relations('ppt/_rels/presentation.xml.rels', [
        ['rId1', 'slideMaster', 'slideMasters/slideMaster1.xml'],
        ['rId2', 'notesMaster', 'notesMasters/notesMaster1.xml'],
        ['rId3', 'theme', 'theme/theme1.xml'],
        ...numbered.map(({ number }): [string, string, string] => [
          `rId${10 + number}`,
          'slide',
          `slides/slide${number}.xml`,
        ]),
      ]),
      ...masters(),
      ...numbered.flatMap(({ slide, number }) => slideParts(slide, number)),
    ]),
  )
}

const part = (name: string, type: string, xml: string): Part => ({
  path: `ppt/${name}.xml`,
  type: `${TYPE}.${type}`,
  xml,
})

function slidesOf(blocks: Block[]): Slide[] {
  const slides: Slide[] = []
  for (const block of blocks) {
    const slide = slides.at(-1)
    if (block.kind === 'heading') slides.push({ title: block.text, body: [], notes: '' })
    else if (block.kind === 'notes') slide!.notes = block.text
    else slide!.body.push(block)
  }
  return slides
}

function presentation(slides: number): string {
  const ids = Array.from({ length: slides }, (_, i) => `<p:sldId id="${256 + i}" r:id="rId${11 + i}"/>`)
  return `<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst><p:sldIdLst>${ids.join('')}</p:sldIdLst><p:sldSz cx="${10 * INCH}" cy="${7.5 * INCH}"/><p:notesSz cx="${7.5 * INCH}" cy="${10 * INCH}"/></p:presentation>`
}

/** The patterns that slides and notes are made from: plain, with one theme for both. */
function masters(): Part[] {
  const shapes = tree(
    shape(2, 'Title', 'type="title"', frame(0.6, 0.4, 8.8, 1.1), ''),
    shape(3, 'Body', 'type="body" idx="1"', frame(0.6, 1.7, 8.8, 5.2), ''),
  )
  const theme = (number: number): Part => ({
    path: `ppt/theme/theme${number}.xml`,
    type: 'officedocument.theme',
    xml: THEME,
  })
  return [
    part(
      'slideMasters/slideMaster1',
      'slideMaster',
      `<p:sldMaster ${NAMESPACES}><p:cSld>${shapes}</p:cSld>${COLOURS}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>${TEXT}</p:sldMaster>`,
    ),
    relations('ppt/slideMasters/_rels/slideMaster1.xml.rels', [
      ['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['rId2', 'theme', '../theme/theme1.xml'],
    ]),
    part(
      'slideLayouts/slideLayout1',
      'slideLayout',
      `<p:sldLayout ${NAMESPACES} type="obj"><p:cSld name="Title and Content">${shapes}</p:cSld></p:sldLayout>`,
    ),
    relations('ppt/slideLayouts/_rels/slideLayout1.xml.rels', [
      ['rId1', 'slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    part(
      'notesMasters/notesMaster1',
      'notesMaster',
      `<p:notesMaster ${NAMESPACES}><p:cSld>${tree()}</p:cSld>${COLOURS}</p:notesMaster>`,
    ),
    relations('ppt/notesMasters/_rels/notesMaster1.xml.rels', [['rId1', 'theme', '../theme/theme2.xml']]),
    theme(1),
    theme(2),
  ]
}

function slideParts({ title, body, notes }: Slide, number: number): Part[] {
  const lines = body.filter((block) => block.kind !== 'table').flatMap(paragraphs)
  const tables = body.filter((block) => block.kind === 'table')
  const content = tree(
    shape(2, 'Title', 'type="title"', '', line(title)),
    ...(lines.length > 0 ? [shape(3, 'Content', 'idx="1"', '', lines.join(''))] : []),
    ...tables.map((table, index) => tableFrame(10 + index, table.rows)),
  )
  const spoken = tree(shape(2, 'Notes', 'type="body" idx="1"', '', line(notes)))
  return [
    part(`slides/slide${number}`, 'slide', `<p:sld ${NAMESPACES}><p:cSld>${content}</p:cSld></p:sld>`),
    relations(`ppt/slides/_rels/slide${number}.xml.rels`, [
      ['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['rId2', 'notesSlide', `../notesSlides/notesSlide${number}.xml`],
    ]),
    part(
      `notesSlides/notesSlide${number}`,
      'notesSlide',
      `<p:notes ${NAMESPACES}><p:cSld>${spoken}</p:cSld></p:notes>`,
    ),
    relations(`ppt/notesSlides/_rels/notesSlide${number}.xml.rels`, [
      ['rId1', 'notesMaster', '../notesMasters/notesMaster1.xml'],
      ['rId2', 'slide', `../slides/slide${number}.xml`],
    ]),
  ]
}

function paragraphs(block: Block): string[] {
  if (block.kind === 'list') {
    const bullet = block.ordered ? '<a:buAutoNum type="arabicPeriod"/>' : '<a:buChar char="•"/>'
    return block.items.map((item) => line(item, `<a:pPr marL="342900" indent="-342900">${bullet}</a:pPr>`))
  }
  return block.kind === 'paragraph'
    ? [line(block.text, '<a:pPr marL="0" indent="0"><a:buNone/></a:pPr>')]
    : []
}

const line = (text: string, properties = '') =>
  `<a:p>${properties}<a:r><a:rPr lang="en-US"/><a:t>${escapeXml(text)}</a:t></a:r></a:p>`

const tree = (...shapes: string[]) =>
  `<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes.join('')}</p:spTree>`

function shape(id: number, name: string, role: string, place: string, content: string): string {
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr/><p:nvPr><p:ph ${role}/></p:nvPr></p:nvSpPr><p:spPr>${place && `<a:xfrm>${place}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${content || '<a:p/>'}</p:txBody></p:sp>`
}

function tableFrame(id: number, rows: string[][]): string {
  const width = 8.8 / rows[0]!.length
  const cells = (row: string[]) =>
    row
      .map((text) => `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>${line(text)}</a:txBody><a:tcPr/></a:tc>`)
      .join('')
  const body = rows.map((row) => `<a:tr h="${0.45 * INCH}">${cells(row)}</a:tr>`)
  const columns = `<a:gridCol w="${Math.round(width * INCH)}"/>`.repeat(rows[0]!.length)
  const place = frame(0.6, 1.9, 8.8, 0.45 * rows.length)
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${place}</p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${columns}</a:tblGrid>${body.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
}
