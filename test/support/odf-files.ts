import { writeZip, type ZipQuirks } from './zip-writer.ts'

const NAMES = [
  'office',
  'text',
  'table',
  'style',
  'draw',
  'presentation',
  'dc',
  'meta',
  'manifest',
  'svg',
  'chart',
]
  .map((name) => `xmlns:${name}="urn:${name}"`)
  .concat('xmlns:xlink="x"')
  .join(' ')

type Extras = ZipQuirks & {
  /** Automatic styles of the content. */
  automatic?: string
  /** The content of `styles.xml`. */
  styles?: string
  meta?: string
  /** The entries of the manifest. */
  manifest?: string
  /** Other parts by name. */
  parts?: Record<string, string | Uint8Array>
}

/** An OpenDocument file. @param kind the element of the body: `text`, `spreadsheet`, `presentation` */
export function odf(kind: string, body: string, extras: Extras = {}): Buffer {
  const {
    automatic = '',
    styles = '',
    meta = '',
    manifest = '',
    parts = {},
    stored = true,
    ...quirks
  } = extras
  return writeZip(
    {
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'META-INF/manifest.xml': `<manifest:manifest ${NAMES}>${manifest}</manifest:manifest>`,
      'content.xml': odfContent(kind, body, automatic),
      'styles.xml': `<office:document-styles ${NAMES}>${styles}</office:document-styles>`,
      'meta.xml': `<office:document-meta ${NAMES}><office:meta>${meta}</office:meta></office:document-meta>`,
      ...parts,
    },
    { stored, ...quirks },
  )
}

/** The main part of an OpenDocument file, or of an object in it. */
export const odfContent = (kind: string, body: string, automatic = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${NAMES}><office:automatic-styles>${automatic}</office:automatic-styles>` +
  `<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`

export const odtParagraph = (text: string, style = 'Standard') =>
  `<text:p text:style-name="${style}">${text}</text:p>`

export const odtHeading = (level: number, text: string) =>
  `<text:h text:outline-level="${level}">${text}</text:h>`

/** A cell of a sheet. @param value attributes for its value */
export const odsCell = (text: string, value = 'office:value-type="string"', attributes = '') =>
  `<table:table-cell ${value} ${attributes}><text:p>${text}</text:p></table:table-cell>`

export const odsRow = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`

export const odsTable = (name: string, content: string, style = 'ta1') =>
  `<table:table table:name="${name}" table:style-name="${style}">${content}</table:table>`
