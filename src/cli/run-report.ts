import type { RunAnswer, RunHead, RunLineAnswer, RunSpanAnswer } from '../api/run.ts'
import type { Paint, Style } from './paint.ts'
import { printable } from './printable.ts'
import { counted, readableTime } from './units.ts'

export const RUN_STYLES: Record<RunHead['state'], Style> = {
  INPROGRESS: 'cyan',
  STOPPED: 'yellow',
  FINISHED: 'green',
  ERROR: 'red',
  TERMINATED: 'yellow',
}

const STATE_WORDS: Record<RunHead['state'], string> = {
  INPROGRESS: 'goes on',
  STOPPED: 'waits for a person',
  FINISHED: 'done',
  ERROR: 'failed',
  TERMINATED: 'stopped',
}

/** The state of a run in words. */
export const stateOfRun = ({ state }: Pick<RunHead, 'state'>): string => STATE_WORDS[state] ?? state

const DRAWINGS: Record<RunAnswer['drawing'], string> = {
  same: '',
  changed: 'The drawing has changed since.',
  gone: 'The flow is gone.',
}

/** How many characters a bar of the time axis has. */
const AXIS = 24
/** The most characters of a text of a step. */
const TEXT = 100

/** The record of a run as text: its steps on one time axis, and what passed the lines of its drawing. */
export function runReport(run: RunAnswer, paint: Paint): string {
  const { id, flow, state, ms, failure, spans, omittedSpans, lines, drawing } = run
  const took = ms === null ? '' : `, ${readableTime(ms)}`
  const labels = new Map(run.nodes.map((node) => [node.id, node.label]))
  const rows = [
    `${paint('bold', printable(run.title))}  ${paint(RUN_STYLES[state] ?? 'dim', stateOfRun(run))}${took}`,
    paint('dim', printable(`${run.kind} ${id} of ${flow.name}`)),
    ...(failure ? [paint('red', printable(`${failure.message} (${failure.code})`))] : []),
    ...(drawing === 'same' ? [] : [paint('yellow', DRAWINGS[drawing] ?? drawing)]),
    '',
    ...stepRows(spans, paint),
    ...(omittedSpans > 0 ? [`${counted(omittedSpans, 'later step')} not kept: the run has too many.`] : []),
    ...(lines.length > 0 ? ['', paint('bold', 'Lines of the drawing')] : []),
    ...lines.flatMap((line) => lineRows(line, labels, paint)),
  ]
  return `${rows.join('\n')}\n`
}

function stepRows(spans: readonly RunSpanAnswer[], paint: Paint): string[] {
  if (spans.length === 0) return ['The run has no steps.']
  const length = Math.max(1, ...spans.map(({ offset, ms = 0 }) => offset + ms))
  const depths = new Map<number, number>()
  const width = String(spans.at(-1)!.id).length
  return spans.flatMap((span) => {
    const { id, parent, status, offset, ms, error } = span
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1
    depths.set(id, depth)
    const indent = '  '.repeat(depth)
    const time = ms === undefined ? 'goes on' : readableTime(ms)
    const name = paint(
      status === 'FINISHED' ? 'reset' : (RUN_STYLES[status] ?? 'dim'),
      printable(labelOf(span)),
    )
    const facts = [...factsOf(span), ...(status === 'FINISHED' ? [] : [stateOfRun({ state: status })])]
    const below = `${' '.repeat(width + AXIS + 16)}${indent}`
    return [
      `${String(id).padStart(width)}  ${bar(offset, ms ?? length - offset, length)}  ${time.padStart(10)}  ${indent}${name}${facts.length > 0 ? `  ${paint('dim', facts.join(', '))}` : ''}`,
      ...[...textsOf(span), ...(error ? [`${error.message} (${error.code})`] : [])].map(
        (text) => `${below}${paint('dim', printable(short(text)))}`,
      ),
    ]
  })
}

function bar(offset: number, ms: number, length: number): string {
  const from = Math.min(AXIS - 1, Math.floor((offset / length) * AXIS))
  const width = Math.max(1, Math.min(AXIS - from, Math.round((ms / length) * AXIS)))
  return `${'·'.repeat(from)}${'█'.repeat(width)}${'·'.repeat(AXIS - from - width)}`
}

function labelOf({ kind, name, purpose, decision }: RunSpanAnswer): string {
  if (kind === 'wait') return decision === 'reject' ? 'a person rejected' : 'a person approved'
  if (kind === 'stage' || kind === 'node') return name
  return `${kind} ${name}${purpose ? `, to ${purpose}` : ''}`
}

function factsOf({
  inputTokens,
  outputTokens,
  httpStatus,
  hits,
  recorded,
  counts = {},
}: RunSpanAnswer): string[] {
  return [
    ...(inputTokens === undefined ? [] : [`${inputTokens} tokens read`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens} written`]),
    ...(httpStatus === undefined ? [] : [`HTTP ${httpStatus}`]),
    ...(recorded ? ['from the record'] : []),
    ...(hits === undefined ? [] : [counted(hits, 'hit')]),
    ...Object.entries(counts).map(([what, count]) => `${what} ${count.toLocaleString('en')}`),
  ]
}

/** What went in and came out, a line each. */
function textsOf({ kind, input, output, calls = [], query, sources = [] }: RunSpanAnswer): string[] {
  return [
    ...(query === undefined ? [] : [`? ${query}`]),
    ...sources.map(
      ({ source, score, vector, keyword }) =>
        `${source || 'no name'}${score === undefined ? '' : `  ${score.toFixed(3)}`}${side('vector', vector)}${side('keyword', keyword)}`,
    ),
    ...(input === undefined ? [] : [`→ ${typeof input === 'string' ? input : JSON.stringify(input)}`]),
    ...(output === undefined || output === '' || kind === 'node' ? [] : [`← ${output}`]),
    ...calls.map((call) => `← ${call.name} ${call.input}`),
  ]
}

const side = (name: string, score: number | null | undefined): string =>
  score === undefined ? '' : `  ${name} ${score === null ? '–' : score.toFixed(3)}`

function lineRows(
  { from, to, count, unit, items }: RunLineAnswer,
  labels: ReadonlyMap<string, string>,
  paint: Paint,
): string[] {
  const last = items
    .toReversed()
    .map(({ title, text }) => paint('dim', printable(short(`  ${title}: ${text}`))))
  return [
    printable(
      `${labels.get(from) ?? from} → ${labels.get(to) ?? to}  ${counted(count, unit.replace(/s$/, ''))}`,
    ),
    ...last,
  ]
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > TEXT ? `${line.slice(0, TEXT - 1)}…` : line
}
