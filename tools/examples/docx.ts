import { writeZip } from '../../test/support/zip-writer.ts'
import { type About, type Block, spansOf } from './blocks.ts'
import { escapeXml, opening, type Part, RELATIONS, relations, withContentTypes } from './office.ts'

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const NAMESPACES = `xmlns:w="${WORD}" xmlns:r="${RELATIONS}"`
const TYPE = 'officedocument.wordprocessingml'

/** Writes a Word document: headings, numbered and bulleted lists, tables, footnotes, a header and page numbers. */
export function docx(blocks: Block[], about: About): Buffer {
  const footnotes = blocks.filter((block) => block.kind === 'footnote')
  const part = (name: string, type: string, xml: string): Part => ({
    path: `word/${name}.xml`,
    type: `${TYPE}.${type}`,
    xml,
  })
  return writeZip(
    withContentTypes([
      ...opening('word/document.xml', about),
      part('document', 'document.main', documentXml(blocks)),
      part('styles', 'styles', STYLES),
      part('numbering', 'numbering', numbering(blocks)),
      part('footnotes', 'footnotes', footnotesXml(footnotes)),
      part('header1', 'header', header(about.title)),
      part('footer1', 'footer', FOOTER),
      relations('word/_rels/document.xml.rels', [
        ['rId1', 'styles', 'styles.xml'],
        ['rId2', 'numbering', 'numbering.xml'],
        ['rId3', 'footnotes', 'footnotes.xml'],
        ['rId4', 'header', 'header1.xml'],
        ['rId5', 'footer', 'footer1.xml'],
      ]),
    ]),
  )
}

/** Number 1 is the bulleted list; each ordered list of the document has a number of its own and so begins with 1. */
const BULLETS = 1
const orderedLists = (blocks: Block[]) => blocks.filter((block) => block.kind === 'list' && block.ordered)

function documentXml(blocks: Block[]): string {
  const ordered = orderedLists(blocks)
  const body = blocks.map((block) => {
    switch (block.kind) {
      case 'heading':
        return paragraph(block.text, block.level === 1 ? 'Title' : `Heading${block.level - 1}`)
      case 'paragraph':
        return paragraph(block.text)
      case 'list': {
        const number = block.ordered ? BULLETS + 1 + ordered.indexOf(block) : BULLETS
        return block.items.map((item) => paragraph(item, 'ListParagraph', number)).join('')
      }
      case 'table':
        return table(block.rows)
      default:
        return ''
    }
  })
  const section =
    '<w:sectPr><w:headerReference w:type="default" r:id="rId4"/><w:footerReference w:type="default" r:id="rId5"/><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1300" w:bottom="1300" w:left="1300" w:header="700" w:footer="600" w:gutter="0"/></w:sectPr>'
  return `<w:document ${NAMESPACES}><w:body>${body.join('')}${section}</w:body></w:document>`
}

function paragraph(text: string, style?: string, list?: number): string {
  const properties = [
    style ? `<w:pStyle w:val="${style}"/>` : '',
    list === undefined ? '' : `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`,
  ].join('')
  return `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${runs(text)}</w:p>`
}

const runs = (text: string) =>
  spansOf(text)
    .map((span) =>
      'mark' in span
        ? `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${span.mark}"/></w:r>`
        : `<w:r>${span.bold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t xml:space="preserve">${escapeXml(span.text)}</w:t></w:r>`,
    )
    .join('')

function table(rows: string[][]): string {
  const width = Math.floor(9600 / rows[0]!.length)
  const cell = (text: string, head: boolean) =>
    `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/></w:tcPr>${paragraph(head ? `**${text}**` : text)}</w:tc>`
  const body = rows.map((row, index) => {
    const head = index === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : ''
    return `<w:tr>${head}${row.map((text) => cell(text, index === 0)).join('')}</w:tr>`
  })
  return `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="9600" w:type="dxa"/></w:tblPr><w:tblGrid>${`<w:gridCol w:w="${width}"/>`.repeat(rows[0]!.length)}</w:tblGrid>${body.join('')}</w:tbl><w:p/>`
}

function footnotesXml(footnotes: Extract<Block, { kind: 'footnote' }>[]): string {
  const rules = ['separator', 'continuationSeparator'].map(
    (kind, index) =>
      `<w:footnote w:type="${kind}" w:id="${index - 1}"><w:p><w:r><w:${kind}/></w:r></w:p></w:footnote>`,
  )
  const notes = footnotes.map(
    ({ mark, text }) =>
      `<w:footnote w:id="${mark}"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr><w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> ${escapeXml(text)}</w:t></w:r></w:p></w:footnote>`,
  )
  return `<w:footnotes ${NAMESPACES}>${[...rules, ...notes].join('')}</w:footnotes>`
}

function numbering(blocks: Block[]): string {
  const level = (format: string, text: string) =>
    `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="500" w:hanging="360"/></w:pPr></w:lvl>`
  const kinds = [level('bullet', '•'), level('decimal', '%1.')].map(
    (one, index) => `<w:abstractNum w:abstractNumId="${index}">${one}</w:abstractNum>`,
  )
  const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
  const lists = orderedLists(blocks).map(
    (_, index) => `<w:num w:numId="${BULLETS + 1 + index}"><w:abstractNumId w:val="1"/>${restart}</w:num>`,
  )
  return `<w:numbering ${NAMESPACES}>${kinds.join('')}<w:num w:numId="${BULLETS}"><w:abstractNumId w:val="0"/></w:num>${lists.join('')}</w:numbering>`
}

const header = (title: string) => `<w:hdr ${NAMESPACES}>${paragraph(title, 'Header')}</w:hdr>`

const field = (code: string) => `<w:fldSimple w:instr=" ${code} "><w:r><w:t>1</w:t></w:r></w:fldSimple>`

const FOOTER = `<w:ftr ${NAMESPACES}><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr><w:r><w:t xml:space="preserve">Page </w:t></w:r>${field('PAGE')}<w:r><w:t xml:space="preserve"> of </w:t></w:r>${field('NUMPAGES')}</w:p></w:ftr>`

function style(id: string, name: string, properties: string, size: number, bold = false): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr>${properties}</w:pPr><w:rPr>${bold ? '<w:b/>' : ''}<w:sz w:val="${size}"/></w:rPr></w:style>`
}

const STYLES = `<w:styles ${NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Liberation Serif" w:hAnsi="Liberation Serif"/><w:sz w:val="22"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="110"/></w:pPr></w:style>${[
  style('Title', 'Title', '<w:spacing w:after="240"/>', 36, true),
  style(
    'Heading1',
    'heading 1',
    '<w:keepNext/><w:spacing w:before="300"/><w:outlineLvl w:val="0"/>',
    27,
    true,
  ),
  style(
    'Heading2',
    'heading 2',
    '<w:keepNext/><w:spacing w:before="200"/><w:outlineLvl w:val="1"/>',
    24,
    true,
  ),
  style('ListParagraph', 'List Paragraph', '', 22),
  style('FootnoteText', 'footnote text', '<w:spacing w:after="40"/>', 18),
  style('Header', 'header', '<w:jc w:val="right"/>', 18),
  style('Footer', 'footer', '<w:jc w:val="center"/>', 18),
].join(
  '',
)}<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:tblPr><w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((side) => `<w:${side} w:val="single" w:sz="4" w:color="808080"/>`).join('')}</w:tblBorders></w:tblPr></w:style></w:styles>`
