import type { ExpectedAnswer } from '../api/expected.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { scoreReport } from './score-report.ts'
import { table } from './table.ts'

const MEASURES: Readonly<Record<ExpectedAnswer['measured'][number]['what'], string>> = {
  vector: 'vector score',
  keyword: 'keyword score',
  score: 'score',
  likeness: 'likeness to the other chunk',
  rerank: 'score of the reranker',
  gain: 'what MMR compares',
  combinedPlace: 'place after both searches',
  rescoredPlace: 'place after rescoring',
  rerankedPlace: 'place after the reranker',
  place: 'place',
}

/**
 * For people: what became of an expected document or chunk, what it had and needed, and what shows it.
 *
 * @param mode the kind of search
 */
export function expectedReport(name: string, expected: ExpectedAnswer, paint: Paint, mode?: string): string {
  const { reason, remedy, chunk, measured, like, untold, explanation } = expected
  const lines = [
    `${paint('bold', printable(name))}: ${printable(reason)}`,
    ...(chunk
      ? [paint('dim', printable(`chunk ${chunk.id}${chunk.source ? ` of ${chunk.source}` : ''}`))]
      : []),
    ...(like ? [paint('dim', printable(`like ${like.id}${like.source ? ` of ${like.source}` : ''}`))] : []),
    ...untold.map(
      (side) => `The vector store cannot tell the ${side} score of a chunk that it did not find.`,
    ),
    ...(remedy === null ? [] : [printable(remedy)]),
  ]
  const decided =
    measured.length === 0
      ? ''
      : `\n${table(
          measured,
          [
            { title: '', value: ({ what }) => MEASURES[what] },
            { title: 'had', value: ({ had }) => numberText(had), right: true },
            { title: 'needed', value: ({ needed }) => numberText(needed), right: true },
          ],
          paint,
        )}`
  const parts = explanation ? scoreReport({ pageContent: '', ...explanation }, paint, mode) : ''
  return `${lines.join('\n')}\n${decided}${parts === '' ? '' : `\n${parts}`}`
}

const numberText = (number: number | null): string =>
  number === null ? 'none' : Number.isInteger(number) ? `${number}` : number.toFixed(4)
