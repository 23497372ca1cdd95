import type { ChunkAnswer } from '../api/hit.ts'
import { citationPlace, isRecordChunk, sectionOf } from '../documents/citation.ts'
import type { Paint } from './paint.ts'
import { markedLines } from './marked-text.ts'
import { printable, wrap } from './printable.ts'
import { scoreReport } from './score-report.ts'
import type { Output } from './world.ts'

export type ReportOptions = {
  /** A text that the shown lines should contain, for chunks without a best sentence. */
  phrase?: string
  /** Shows whole chunks. */
  full?: boolean
  /** Shows what each score is the sum of, where the answer says so. */
  explain?: boolean
  /** The kind of search, for what each score is the sum of. */
  mode?: string | undefined
}

const LINES = 3

/** A row or record of at most so many lines is shown whole, because its fields belong together. */
const RECORD_LINES = 6

/**
 * Chunks for people: rank, score, confidence, source and place, and the best sentence. Without one: the first lines of the
 * text, or those around `phrase` where the text holds it.
 */
export function chunkReport(
  chunks: readonly ChunkAnswer[],
  output: Output,
  paint: Paint,
  options: ReportOptions = {},
): string {
  const width = Math.min(output.columns || 100, 120) - 4
  return chunks
    .map((chunk, index) => {
      const { metadata = {}, score, confidence } = chunk
      const rank = paint('dim', `${index + 1}.`.padEnd(4))
      const head = [
        score === undefined ? '' : paint('green', score.toFixed(3)),
        typeof confidence === 'number' ? paint('dim', `confidence ${confidence.toFixed(2)}`) : '',
        paint('bold', printable(String(metadata.source ?? ''))),
        paint('dim', printable(citationPlace(metadata))),
        paint('dim', printable(sectionOf(metadata))),
      ]
      const lines = linesOf(chunk, options, width, paint).map((line) => `    ${line}\n`)
      const sum = options.explain
        ? scoreReport(chunk, paint, options.mode).replaceAll(/^(?=.)/gm, '    ')
        : ''
      return `${rank}${head.filter(Boolean).join('  ')}\n${lines.join('')}${sum}`
    })
    .join('\n')
}

function linesOf(
  { pageContent, metadata = {}, highlight }: ChunkAnswer,
  { full, phrase = '' }: ReportOptions,
  width: number,
  paint: Paint,
): string[] {
  const marks = highlight?.words ?? []
  const whole = () =>
    [...pageContent.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) =>
      markedLines(pageContent, { from: index, to: index + line.length }, marks, width, paint),
    )
  if (full) return whole()
  if (highlight && isRecordChunk(metadata) && pageContent.length < RECORD_LINES * width) {
    const lines = whole()
    if (lines.length <= RECORD_LINES) return lines
  }
  return highlight
    ? markedLines(pageContent, highlight, marks, width, paint)
    : excerpt(pageContent, phrase, width)
}

function excerpt(text: string, phrase: string, width: number): string[] {
  const at = text.indexOf(phrase)
  const lineStart = text.lastIndexOf('\n', at) + 1
  // In a long line the excerpt begins a few words before the phrase.
  const from =
    at > lineStart + width
      ? `…${text.slice(text.lastIndexOf(' ', at - width / 2) + 1)}`
      : text.slice(lineStart)
  const lines = from.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line) => wrap(printable(line).trimEnd(), width)).slice(0, LINES)
}
