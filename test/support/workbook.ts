import { readXlsx } from '../../src/formats/office/xlsx.ts'
import { officeFile, readAll } from './office-files.ts'

/** The namespaces of a part. */
export const NAMES = 'xmlns="s" xmlns:r="r"'
/** The part that the package begins with. */
export const MAIN = 'xl/workbook.xml'

type Sheets = Record<string, string | { content?: string; state?: string; type?: string }>
type Extras = { strings?: string; styles?: string; properties?: string; strict?: boolean }

/** A workbook of these sheets: name to the content of the worksheet element. */
export function workbook(
  sheets: Sheets,
  { strings, styles, properties = '', strict = false }: Extras = {},
): Buffer {
  const all = Object.entries(sheets).map(([name, given], index) => {
    const { content = '', state, type = 'worksheet' } = typeof given === 'string' ? { content: given } : given
    return { name, content, state, type, id: `rId${index}`, part: `worksheets/s${index}.xml` }
  })
  const list = all.map(
    ({ name, state, id }) =>
      `<sheet name="${name}" sheetId="1" r:id="${id}" ${state ? `state="${state}"` : ''}/>`,
  )
  return officeFile(
    MAIN,
    {
      [MAIN]: `<workbook ${NAMES}><workbookPr ${properties}/><sheets>${list.join('')}</sheets></workbook>`,
      ...Object.fromEntries(
        all.map(({ part, content }) => [`xl/${part}`, `<worksheet ${NAMES}>${content}</worksheet>`]),
      ),
      ...(strings && { 'xl/strings.xml': `<sst ${NAMES}>${strings}</sst>` }),
      ...(styles && { 'xl/styles.xml': `<styleSheet ${NAMES}>${styles}</styleSheet>` }),
    },
    {
      [MAIN]: {
        ...Object.fromEntries(all.map(({ id, type, part }) => [id, [type, part] as [string, string]])),
        strings: ['sharedStrings', 'strings.xml'],
        styles: ['styles', 'styles.xml'],
      },
    },
    { strict },
  )
}

/** A cell that holds its own text. */
export const inline = (text: string, reference = '') =>
  `<c ${reference && `r="${reference}"`} t="inlineStr"><is><t>${text}</t></is></c>`
export const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`
export const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
export const data = (...rows: string[]) => `<sheetData>${rows.join('')}</sheetData>`

/** The texts that the reader finds in a workbook. */
export async function textsOf(bytes: Uint8Array): Promise<string[]> {
  return (await readAll(readXlsx, bytes)).parts.map(({ pageContent }) => pageContent)
}
