import type { About } from './blocks.ts'

/*
 * What the three Office formats have in common (ECMA-376): a ZIP of XML parts, a list of their content types,
 * and relations that tie one part to another.
 */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
export const RELATIONS = `${OFFICE}/relationships`

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char]!)

/** A part: where it lies, what it is (the end of its content type), its XML without the declaration. */
export type Part = { path: string; type: string; xml: string }

/** `[Content_Types].xml` and the parts, ready for a ZIP: contents by path, in this order. */
export function withContentTypes(parts: Part[]): Record<string, string> {
  const overrides = parts
    .filter(({ type }) => type !== '')
    .map(
      ({ path, type }) =>
        `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-${type}+xml"/>`,
    )
  const types = `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  return {
    '[Content_Types].xml': DECLARATION + types,
    ...Object.fromEntries(parts.map(({ path, xml }) => [path, DECLARATION + xml])),
  }
}

/** The relations of a part: id, last word of the kind, target; `path` is that of the `.rels` file. */
export function relations(path: string, rows: [id: string, kind: string, target: string][]): Part {
  const all = rows.map(
    ([id, kind, target]) =>
      `<Relationship Id="${id}" Type="${kind === 'core-properties' ? `${PACKAGE}/relationships/metadata` : RELATIONS}/${kind}" Target="${target}"/>`,
  )
  return {
    path,
    type: '',
    xml: `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`,
  }
}

/** The parts every Office file begins with: the way to its main part, and what the document says of itself. */
export function opening(main: string, { title, author, subject, created }: About): Part[] {
  const date = created.toISOString().replace(/\.\d+/, '')
  const w3c = (name: string) => `<dcterms:${name} xsi:type="dcterms:W3CDTF">${date}</dcterms:${name}>`
  return [
    relations('_rels/.rels', [
      ['rId1', 'officeDocument', main],
      ['rId2', 'core-properties', 'docProps/core.xml'],
    ]),
    {
      path: 'docProps/core.xml',
      type: 'package.core-properties',
      xml: `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(title)}</dc:title><dc:subject>${escapeXml(subject)}</dc:subject><dc:creator>${escapeXml(author)}</dc:creator>${w3c('created')}${w3c('modified')}</cp:coreProperties>`,
    },
  ]
}
