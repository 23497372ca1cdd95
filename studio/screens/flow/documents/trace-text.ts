import type { DroppedAnswer } from '../../../../src/api/dropped.ts'
import type { SourceTraceAnswer, TextGapAnswer } from '../../../../src/api/source-trace.ts'
import { numberText } from '../../../parts/units.ts'

/** A share for a person: `2 %`, `0.04 %`; never 0 where there is something, never 100 where something is missing. */
export function shareText(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`
  const value = share * 100
  if (value < 0.01) return 'less than 0.01 %'
  if (value > 99.99) return 'more than 99.99 %'
  return `${numberText(Number(value < 1 || value > 99 ? value.toFixed(2) : value.toFixed(1)))} %`
}

/** Where the words of a document went, in one sentence. */
export function traceText({ known, share, characters }: SourceTraceAnswer): string {
  if (!known || share === null) return 'Not known which words are in no chunk'
  return characters.none === 0
    ? 'All of the text is in chunks'
    : `${shareText(share)} of the text is in no chunk`
}

const REASONS: Readonly<Record<TextGapAnswer['reason'], string>> = {
  cut: 'The splitter leaves it out.',
  deleted: 'A person has deleted its chunk.',
  removed: 'Its chunk was removed after the load; the text is not kept.',
}

export const reasonText = ({ reason }: Pick<TextGapAnswer, 'reason'>): string => REASONS[reason]

/** What is missing from the chunks of a document, or from its text, at a place. */
export type MissingRow = { position: number | undefined; gap?: TextGapAnswer; dropped?: DroppedAnswer }

/** What is in no chunk and what the reader has left out, by position; what has none comes last. */
export function missingRows({ gaps, dropped }: Pick<SourceTraceAnswer, 'gaps' | 'dropped'>): MissingRow[] {
  const rows = [
    ...gaps.data.map((gap): MissingRow => ({ position: gap.start, gap })),
    ...(dropped ?? []).map((row): MissingRow => ({ position: row.position?.start, dropped: row })),
  ]
  return rows.sort((one, other) => (one.position ?? Infinity) - (other.position ?? Infinity) || 0)
}

/** The part of the text that a page of chunks shows: from its first chunk to its last, with the words around them that are in none. */
export function spanWithGaps(
  span: { start: number; end: number },
  gaps: readonly TextGapAnswer[],
  { first, last }: { first: number; last: number },
): { start: number; end: number } {
  const own = gaps.filter(({ after }) => after >= first && after <= last)
  return {
    start: Math.min(span.start, ...own.map(({ start }) => start)),
    end: Math.max(span.end, ...own.map(({ end }) => end)),
  }
}
