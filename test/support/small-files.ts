import { docFile } from './doc-writer.ts'
import { odf, odsCell, odsRow, odsTable, odtParagraph } from './odf-files.ts'
import { officeFile } from './office-files.ts'
import { paragraphLines, writePdf } from './pdf-writer.ts'
import { xlsFile, xlsLabel } from './xls-writer.ts'

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const DRAWING =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const SHEET =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

const own = (bytes: Buffer) => new Uint8Array(bytes)

export const pdf = (text: string) => own(writePdf([{ lines: paragraphLines([text]) }]))

export const encryptedPdf = () => own(writePdf([{ lines: paragraphLines(['secret']) }], { encrypted: true }))

/** A page with nothing on it, as a scanner leaves it. */
export const scan = () => own(writePdf([{ lines: [] }]))

export const docx = (text: string) =>
  own(
    officeFile('word/document.xml', {
      'word/document.xml': `<w:document ${WORD}><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
    }),
  )

/** A slide with a text, if it has one, and so many pictures. */
const slide = ({ text = '', pictures = 0 }: Slide) =>
  `<p:sld ${DRAWING}><p:cSld><p:spTree>${text && `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`}${'<p:pic/>'.repeat(pictures)}</p:spTree></p:cSld></p:sld>`

type Slide = { text?: string; pictures?: number }

export const doc = (text: string) => own(docFile([{ text: `${text}\r` }]))

export const odt = (text: string) => own(odf('text', odtParagraph(text)))

export const ods = (text: string) =>
  own(odf('spreadsheet', odsTable('One', odsRow(odsCell('note')) + odsRow(odsCell(text)))))

export const odp = (text: string) =>
  own(
    odf(
      'presentation',
      `<draw:page draw:name="page1"><draw:frame><draw:text-box>${odtParagraph(text)}</draw:text-box></draw:frame></draw:page>`,
    ),
  )

export const xls = (text: string) =>
  own(xlsFile([{ name: 'One', records: [xlsLabel(0, 0, 'note'), xlsLabel(1, 0, text)] }]))

export const deck = (...slides: Slide[]) =>
  own(
    officeFile(
      'ppt/presentation.xml',
      {
        'ppt/presentation.xml': `<p:presentation ${DRAWING}><p:sldIdLst>${slides.map((_, n) => `<p:sldId id="${256 + n}" r:id="rId${n + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
        ...Object.fromEntries(slides.map((one, n) => [`ppt/slides/slide${n + 1}.xml`, slide(one)])),
      },
      {
        'ppt/presentation.xml': Object.fromEntries(
          slides.map((_, n): [string, [string, string]] => [
            `rId${n + 1}`,
            ['slide', `slides/slide${n + 1}.xml`],
          ]),
        ),
      },
    ),
  )

export const pptx = (text: string) => deck({ text })

export const xlsx = (text: string) =>
  own(
    officeFile(
      'xl/workbook.xml',
      {
        'xl/workbook.xml': `<workbook ${SHEET}><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
        'xl/worksheets/sheet1.xml':
          `<worksheet ${SHEET}><sheetData>` +
          '<row r="1"><c r="A1" t="inlineStr"><is><t>note</t></is></c></row>' +
          `<row r="2"><c r="A2" t="inlineStr"><is><t>${text}</t></is></c></row></sheetData></worksheet>`,
      },
      { 'xl/workbook.xml': { rId1: ['worksheet', 'worksheets/sheet1.xml'] } },
    ),
  )

/** The beginning of the container in which Office keeps a document under a password, [MS-CFB] 2.2. */
export const passwordProtected = () =>
  new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Array(504).fill(0)])

/** The beginning of a PNG picture. */
export const png = () =>
  new Uint8Array([
    0x89,
    0x50,
    0x4e,
    0x47,
    13,
    10,
    26,
    10,
    0,
    0,
    0,
    13,
    0x49,
    0x48,
    0x44,
    0x52,
    ...new Array(64).fill(0),
  ])
