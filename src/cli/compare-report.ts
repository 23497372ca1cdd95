import type {
  ComparisonOutcome,
  ComparedMeasure,
  ComparedRow,
  ComparedVariantResult,
} from '../evaluate/comparison/outcome.ts'
import type { Paint } from './paint.ts'
import { printable, shorten } from './printable.ts'
import { type Column, table } from './table.ts'
import { counted } from './units.ts'

/** What a report reads of a comparison: the answer of the server, or what ran here. */
export type ReportedComparison = Omit<ComparisonOutcome, 'resumed'>

/** The longest question in a line. */
const LONGEST = 60

/**
 * A comparison as a text: the figures of each variant, the questions that went either way, the worse ones first, and the verdicts last.
 *
 * @param rows how many questions of each variant are listed
 */
export function compareReport(outcome: ReportedComparison, paint: Paint, rows: number): string {
  const { variants, questions, planned, documents, uncounted } = outcome
  const read = documents.files + documents.texts
  return [
    `${counted(questions, 'question')}${questions < planned ? ` of ${planned.toLocaleString('en')}: an earlier look has told all` : ''}, ${counted(read, 'document')}\n`,
    ...notesOf(outcome, paint),
    `\n${table(variants, COLUMNS, paint)}`,
    ...variants.slice(1).map((_, at) => changesOf(outcome.rows, variants, at + 1, { paint, rows })),
    '\n',
    ...variants.slice(1).map(({ name, verdict }) => {
      const style = verdict?.kind === 'better' ? 'green' : verdict?.kind === 'worse' ? 'red' : 'bold'
      const said = paint(style, printable(verdict?.sentence ?? ''))
      // The sentence of a better variant begins with its name.
      return verdict?.kind === 'better' ? `${said}\n` : `${printable(name)}: ${said}\n`
    }),
    uncounted.length > 0
      ? `${counted(uncounted.length, 'question')} not asked: ${printable(shorten(uncounted.map(({ text, reason }) => `${text} (${REASONS[reason]})`).join(', '), 200))}\n`
      : '',
  ].join('')
}

const REASONS = {
  unjudged: 'nothing is judged right',
  gone: 'what is right is no document any more',
} as const

function notesOf({ documents, variants }: ReportedComparison, paint: Paint): string[] {
  const { files, texts, missing } = documents
  const failed = variants.filter((one) => one.failed > 0)
  return [
    texts > 0 && files > 0
      ? `${texts.toLocaleString('en')} of them from the text of their stored chunks, since their files are not kept\n`
      : '',
    missing.count > 0
      ? paint(
          'yellow',
          `${counted(missing.count, 'document')} left out, since neither file nor text is kept: ${printable(missing.names.join(', '))}\n`,
        )
      : '',
    ...failed.map(({ name, failed: count }) =>
      paint('yellow', `${counted(count, 'document')} could not be loaded for ${printable(name)}\n`),
    ),
  ].filter((line) => line !== '')
}

const score = (
  title: string,
  of: (variant: ComparedVariantResult) => ComparedMeasure,
): Column<ComparedVariantResult> => ({
  title,
  value: (variant) => {
    const { value, difference } = of(variant)
    return variant.verdict === null ? value.toFixed(3) : `${value.toFixed(3)} (${signed(difference)})`
  },
  right: true,
})

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`

const COLUMNS: Column<ComparedVariantResult>[] = [
  { title: 'variant', value: ({ name }) => name },
  score('nDCG@10', ({ ndcg10 }) => ndcg10),
  score('recall@10', ({ recall10 }) => recall10),
  score('first right', ({ first }) => first),
  { title: 'p50 ms', value: ({ p50 }) => p50?.toFixed(1) ?? '–', right: true },
  { title: 'chunks', value: ({ chunks }) => chunks.toLocaleString('en'), right: true },
  { title: 'tokens', value: ({ tokens }) => tokens.toLocaleString('en'), right: true },
  { title: 'worse', value: ({ verdict, counts }) => (verdict ? counts.worse : ''), right: true },
  { title: 'better', value: ({ verdict, counts }) => (verdict ? counts.better : ''), right: true },
  { title: 'neither', value: ({ counts }) => counts.neither, right: true },
]

type Changed = { row: ComparedRow; difference: number }

function changesOf(
  all: readonly ComparedRow[],
  variants: readonly ComparedVariantResult[],
  variant: number,
  { paint, rows }: { paint: Paint; rows: number },
): string {
  const changed = all
    .map((row) => ({ row, difference: row.answers[variant]!.ndcg10 - row.answers[0]!.ndcg10 }))
    .filter(({ difference }) => Math.abs(difference) > 1e-9)
    .toSorted((one, other) => one.difference - other.difference)
  if (changed.length === 0 || rows === 0) return ''
  const place = (at: number): Column<Changed> => ({
    title: variants[at]!.name,
    value: ({ row }) => row.answers[at]!.place ?? '–',
    right: true,
  })
  const listed =
    changed.length <= rows
      ? changed
      : [...changed.slice(0, Math.ceil(rows / 2)), ...changed.slice(-Math.floor(rows / 2) || changed.length)]
  const shown = table(
    listed,
    [
      {
        title: `${variants[variant]!.name} beside ${variants[0]!.name}`,
        value: ({ row }) => shorten(row.text, LONGEST),
      },
      place(0),
      place(variant),
      {
        title: '',
        value: ({ difference }) => `${difference < 0 ? 'worse' : 'better'} ${signed(difference)}`,
        style: ({ difference }) => (difference < 0 ? 'red' : 'green'),
      },
    ],
    paint,
  )
  const left = changed.length - listed.length
  return `\n${shown}${left > 0 ? `and ${counted(left, 'question')} more\n` : ''}`
}
