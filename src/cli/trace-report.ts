import type {
  SourceQuestionsAnswer,
  SourceTraceAnswer,
  TextGapAnswer,
  TraceBandAnswer,
} from '../api/source-trace.ts'
import type { Paint, Style } from './paint.ts'
import { printable } from './printable.ts'
import { counted } from './units.ts'

/** How wide the map is, and how much is listed. */
const MAP = 60
const LISTED = { gaps: 20, chunks: 10, text: 200 }

const REASONS: Readonly<Record<TextGapAnswer['reason'], string>> = {
  cut: 'left out by the splitter',
  deleted: 'its chunk was deleted by a person',
  removed: 'its chunk was removed after the load, its text is not kept',
}

type Traced = { trace: SourceTraceAnswer; questions: SourceQuestionsAnswer | undefined }

/** Where the words of a source went, for people. @param settings changed settings of the flow since its load, a line each */
export function traceReport(
  { trace, questions }: Traced,
  paint: Paint,
  settings: readonly string[] = [],
): string {
  const { source, chunks, edited, total } = trace
  const head = `${paint('bold', printable(source))}  ${counted(chunks, 'chunk')}, ${counted(total, 'code unit')} of text\n`
  return [
    head,
    ...notesOf(trace, settings),
    ...(edited > 0
      ? [`${counted(edited, 'chunk')} changed by a person: counted as the text of the document there.\n`]
      : []),
    ...(trace.placed ? [countsOf(trace), mapOf(trace.bands, paint)] : []),
    gapsOf(trace, paint),
    droppedOf(trace, paint),
    questionsOf(questions, paint),
  ]
    .filter((part) => part !== '')
    .join('')
}

function notesOf({ placed, known }: SourceTraceAnswer, settings: readonly string[]): string[] {
  const notes = !placed
    ? ['It is not known where its chunks are in its text: the record manager names sources by metadata.\n']
    : known
      ? []
      : ['Which words are in no chunk is not known: an earlier release loaded it. Load it again.\n']
  if (settings.length > 0)
    notes.push(`Loaded with other settings than the flow has now: ${printable(settings.join(', '))}\n`)
  return notes
}

function countsOf({ characters, lines }: SourceTraceAnswer): string {
  const all = characters.one + characters.several + (characters.none ?? 0)
  const row = (title: string, count: number | null, ofLines: number) => {
    const share = count === null ? '' : `${percent(all === 0 ? 0 : count / all)}`
    const amount = count === null ? 'not known' : counted(count, 'character')
    return `${title.padEnd(18)}${amount.padStart(22)}${share.padStart(10)}${(count === null ? '' : counted(ofLines, 'line')).padStart(16)}`.trimEnd()
  }
  return `\n${[
    row('in one chunk', characters.one, lines.one),
    row('in several', characters.several, lines.several),
    row('in none', characters.none, lines.none),
  ].join(
    '\n',
  )}\nCharacters are counted without white space; a line with words of several kinds counts once.\n`
}

/** A share for people: `2 %`, `0.04 %`; never 0 where there is something, never 100 where something is missing. */
export function percent(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`
  const value = share * 100
  if (value < 0.01) return 'under 0.01 %'
  if (value > 99.99) return 'over 99.99 %'
  return `${Number(value < 1 || value > 99 ? value.toFixed(2) : value.toFixed(1))} %`
}

/** The lines of the text in one row: the worst that a part of them has. */
function mapOf(bands: readonly TraceBandAnswer[], paint: Paint): string {
  const cells = Math.min(MAP, bands.length)
  const signs = Array.from({ length: cells }, (_, cell) => {
    const of = bands.slice(
      Math.floor((cell * bands.length) / cells),
      Math.max(
        Math.floor(((cell + 1) * bands.length) / cells),
        Math.floor((cell * bands.length) / cells) + 1,
      ),
    )
    if (of.some(({ none }) => none > 0)) return paint(NONE, '!')
    if (of.some(({ several }) => several > 0)) return '='
    return of.some(({ one }) => one > 0) ? '-' : ' '
  })
  return `\n[${signs.join('')}]  - one chunk  = several  ! none\n`
}

const NONE: Style = 'red'

function gapsOf({ gaps, more }: SourceTraceAnswer, paint: Paint): string {
  const total = gaps.total + more.gaps
  if (total === 0) return ''
  const rows = gaps.data.slice(0, LISTED.gaps).map(({ start, characters, reason, text }) => {
    const words = printable(text.replaceAll(/\s+/g, ' ').trim())
    const shown = words.length > LISTED.text ? `${words.slice(0, LISTED.text)}…` : words
    return `  at ${start.toLocaleString('en')}, ${counted(characters, 'character')}, ${REASONS[reason]}\n${shown === '' ? '' : `    ${shown}\n`}`
  })
  const left = total - rows.length
  return `\n${paint('bold', 'In no chunk')}\n${rows.join('')}${left > 0 ? `  and ${counted(left, 'place')} more\n` : ''}`
}

function droppedOf({ dropped }: SourceTraceAnswer, paint: Paint): string {
  if (!dropped || dropped.length === 0) return ''
  const rows = dropped.map(({ text, position }) => {
    const place = position ? `  at ${position.start.toLocaleString('en')}` : ''
    return `  ${printable(text)}${paint('dim', place)}\n`
  })
  return `\n${paint('bold', 'Left out by the reader')}\n${rows.join('')}`
}

function questionsOf(questions: SourceQuestionsAnswer | undefined, paint: Paint): string {
  if (!questions) return ''
  const title = `\n${paint('bold', 'Found by questions of conversations')}\n`
  const looked = `${counted(questions.answers, 'answer')}${questions.complete ? '' : ', not all'}`
  if (questions.data.length === 0) return `${title}  none of ${looked} had a chunk of it\n`
  const rows = questions.data.slice(0, LISTED.chunks).map(({ chunk, answers, questions: [last] }) => {
    const words = last ? `  ${printable(last.question.replaceAll(/\s+/g, ' ')).slice(0, LISTED.text)}` : ''
    return `  ${chunk}  ${counted(answers, 'answer')}${words}\n`
  })
  const left = questions.data.length - rows.length
  return `${title}${rows.join('')}${left > 0 ? `  and ${counted(left, 'chunk')} more\n` : ''}  of ${looked}\n`
}
