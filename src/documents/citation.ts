import { isObject, type Json } from '../kit/json.ts'
import type { Metadata } from '../contract/document.ts'

/** Between a heading and one below it. */
export const INTO = ' › '

/** The name of the source of a chunk, a file or an address; empty if the metadata have none. */
export const sourceOf = ({ source }: Metadata): string => (typeof source === 'string' ? source : '')

/**
 * The place of a chunk in its source, from the metadata of loaders and splitters: `page 3, lines 4–9`, `slide 2`, `sheet
 * Costs, row 7`, `/items/0`; empty if the metadata have no place.
 */
export function citationPlace({ loc, slideNumber, worksheet, rowNum, pointer, line }: Metadata): string {
  const { pageNumber, lines } = isObject(loc) ? loc : {}
  const document = [
    numbered('page', pageNumber),
    numbered('slide', slideNumber),
    typeof worksheet === 'string' ? `sheet ${worksheet}` : '',
    numbered('row', rowNum),
    typeof pointer === 'string' && pointer !== '' ? pointer : numbered('record', line),
  ].filter(Boolean)
  // The lines of a record count within the text made from it, not within the file.
  const ofFile = !isRecordChunk({ rowNum, pointer, line })
  return [...document, ofFile ? linesOf(lines) : ''].filter(Boolean).join(', ')
}

const PLACE_FIELDS: ReadonlySet<string> = new Set([
  ...['loc', 'slideNumber', 'worksheet', 'rowNum', 'pointer', 'line'],
])

/** The metadata of a chunk without what {@link citationPlace} reads. */
export const withoutPlace = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !PLACE_FIELDS.has(name)))

/** The headings above a chunk, as its splitter has found them: `Guide › Install`; empty if the metadata have none. */
export const sectionOf = ({ headings }: Record<string, Json | undefined>): string =>
  Array.isArray(headings) ? headings.filter((title) => typeof title === 'string').join(INTO) : ''

/** Whether a chunk comes from a row or a record. Its text has one line for each field. */
export const isRecordChunk = ({ rowNum, pointer, line }: Record<string, Json | undefined>): boolean =>
  rowNum !== undefined || pointer !== undefined || line !== undefined

const numbered = (name: string, value: Json | undefined): string =>
  typeof value === 'number' ? `${name} ${value}` : ''

function linesOf(lines: Json | undefined): string {
  if (!isObject(lines) || typeof lines.from !== 'number' || typeof lines.to !== 'number') return ''
  return lines.from === lines.to ? `line ${lines.from}` : `lines ${lines.from}–${lines.to}`
}
