import { countDropped } from '../../documents/dropped-rows.ts'
import type { DroppedCount, DroppedRow } from '../../contract/dropped-rows.ts'
import type { TextGaps } from '../../contract/source-trace.ts'

/** What was left out of a source as its column has it: null where it is not known. */
export const droppedColumn = (rows: readonly DroppedRow[] | undefined): string | null =>
  rows === undefined ? null : JSON.stringify(rows)

export const droppedOf = (text: string | null): DroppedRow[] | null =>
  text === null ? null : (JSON.parse(text) as DroppedRow[])

/** Which words of a source are in no chunk, as its column has it: null where that is not known. */
export const gapsColumn = (gaps: TextGaps | undefined): string | null =>
  gaps === undefined ? null : JSON.stringify(gaps)

export const gapsOf = (text: string | null): TextGaps | undefined =>
  text === null ? undefined : (JSON.parse(text) as TextGaps)

export function droppedCountsOf(text: string | null): DroppedCount[] | null {
  const rows = droppedOf(text)
  return rows && countDropped(rows)
}

/** A row as the database has it: what was left out as text. */
export type WithDroppedText<Known> = Omit<Known, 'dropped'> & { dropped: string | null }
