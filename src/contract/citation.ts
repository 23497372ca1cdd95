import { isObject, type Json } from '../kit/json.ts'
import type { Metadata } from './document.ts'

/** The name of the source of a chunk: a file, an address; empty where the metadata do not say. */
export const sourceOf = ({ source }: Metadata): string => (typeof source === 'string' ? source : '')

/**
 * Where a chunk stands in its source, from what loaders and splitters write down: `page 3, lines 4–9`, `slide 2`, `sheet
 * Costs, row 7`, `/items/0`; empty where the metadata do not say.
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
  // The lines of a record are those of the text that it was made into, not of its file.
  const ofFile = !isRecordChunk({ rowNum, pointer, line })
  return [...document, ofFile ? linesOf(lines) : ''].filter(Boolean).join(', ')
}

/** Whether a chunk is of a row or a record, whose text has a line for each field. */
export const isRecordChunk = ({ rowNum, pointer, line }: Record<string, Json | undefined>): boolean =>
  rowNum !== undefined || pointer !== undefined || line !== undefined

const numbered = (name: string, value: Json | undefined): string =>
  typeof value === 'number' ? `${name} ${value}` : ''

function linesOf(lines: Json | undefined): string {
  if (!isObject(lines) || typeof lines.from !== 'number' || typeof lines.to !== 'number') return ''
  return lines.from === lines.to ? `line ${lines.from}` : `lines ${lines.from}–${lines.to}`
}
