import type { DroppedRow } from '../contract/dropped-rows.ts'
import { droppedText } from '../documents/dropped-text.ts'

/** A row of what was left out of a document, as answers have it. */
export const presentDropped = (row: DroppedRow) => ({
  ...{ kind: row.kind, count: row.count, text: droppedText(row), more: row.more ?? false },
  ...{ place: row.place ?? null, position: row.position ?? null },
})
