import type { ReindexAnswer } from '../api/upsert.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { counted, readableTime } from './units.ts'
import { warningLines } from './upsert-report.ts'

/** The result of a reindex as a text: warnings, counts, the embedder, the time. */
export function reindexReport(
  { numChunks, numEmbedded, embedder, timeTaken, warnings }: ReindexAnswer,
  paint: Paint,
): string {
  const chunks = paint('bold', `${counted(numChunks, 'chunk')}, ${counted(numEmbedded, 'text')} embedded`)
  return [
    ...warningLines(warnings, paint),
    `${chunks} by ${printable(embedder)} in ${readableTime(timeTaken)}\n`,
  ].join('')
}
