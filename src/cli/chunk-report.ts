import { placeOf } from '../contract/citation.ts'
import type { Metadata } from '../contract/document.ts'
import type { Paint } from './paint.ts'
import { printable, wrap } from './printable.ts'
import type { Output } from './world.ts'

/** A chunk in an answer: of a query with its score, of an upsert without. */
export type ChunkAnswer = {
  pageContent: string
  id?: string
  metadata?: Metadata
  score?: number
}

const LINES = 3

/**
 * Chunks for people: rank, score, source and place, and the first lines of the text, or those around `phrase` where
 * the text holds it.
 */
export function chunkReport(
  chunks: readonly ChunkAnswer[],
  output: Output,
  paint: Paint,
  phrase = '',
): string {
  const width = Math.min(output.columns || 100, 120) - 4
  return chunks
    .map(({ pageContent, metadata = {}, score }, index) => {
      const rank = paint('dim', `${index + 1}.`.padEnd(4))
      const head = [
        score === undefined ? '' : paint('green', score.toFixed(3)),
        paint('bold', printable(String(metadata.source ?? ''))),
        paint('dim', printable(placeOf(metadata))),
      ]
      const lines = excerpt(pageContent, phrase, width).map((line) => `    ${line}\n`)
      return `${rank}${head.filter(Boolean).join('  ')}\n${lines.join('')}`
    })
    .join('\n')
}

function excerpt(text: string, phrase: string, width: number): string[] {
  const at = text.indexOf(phrase)
  const lineStart = text.lastIndexOf('\n', at) + 1
  // Far into a long line, an excerpt begins a few words before the phrase.
  const from =
    at > lineStart + width
      ? `…${text.slice(text.lastIndexOf(' ', at - width / 2) + 1)}`
      : text.slice(lineStart)
  const lines = from.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line) => wrap(printable(line).trimEnd(), width)).slice(0, LINES)
}
