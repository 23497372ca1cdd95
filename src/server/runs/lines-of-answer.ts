import type { ExecutedNode } from '../../contract/agent.ts'
import { LINE_ITEMS, type LineItem, type RunLine } from '../../contract/run-line.ts'
import type { FoundSource, RunSpan } from '../../contract/run-span.ts'
import { isObject } from '../../kit/json.ts'
import type { DrawingOfRun } from './drawing-of-run.ts'
import { spanPlaces } from './span-places.ts'

/** The most characters of the texts of an item. */
const TITLE = 100
const TEXT = 160

/**
 * What passed the lines of a drawing in an answer: in a chat flow the turns, calls and hits that a node gave to the node that it plugs
 * into, in an agent flow the outputs that led from a node to the next.
 */
export function linesOfAnswer(
  drawing: DrawingOfRun,
  spans: readonly RunSpan[],
  executed: readonly ExecutedNode[],
): RunLine[] {
  const lines = drawing.isAgentFlow ? stepLines(drawing, executed) : partLines(drawing, spans)
  return lines.filter(({ count }) => count > 0)
}

function partLines(drawing: DrawingOfRun, spans: readonly RunSpan[]): RunLine[] {
  const { isOwn, nodeOf } = spanPlaces(spans, drawing)
  return drawing.lines.map(({ from, to }) => {
    // A search of a tool is within the call: it passed the line into the tool, all else the line into the node that answers.
    const passed = spans.filter((span) =>
      span.nodeId === from && span.kind === 'search' && !isOwn(span)
        ? nodeOf(span) === to
        : isOwn(span) && nodeOf(span) === from && span.status !== 'INPROGRESS',
    )
    const hits = passed.filter(({ kind }) => kind === 'search')
    if (hits.length > 0) return lineOfHits({ from, to }, hits)
    const unit = passed.some(({ kind }) => kind === 'tool') ? 'calls' : 'turns'
    return { from, to, unit, count: passed.length, items: passed.slice(-LINE_ITEMS).map(itemOf) }
  })
}

function lineOfHits(line: { from: string; to: string }, searches: readonly RunSpan[]): RunLine {
  const items = searches.flatMap(({ sources = [] }) => sources.slice(0, LINE_ITEMS)).slice(-LINE_ITEMS)
  const count = searches.reduce((sum, { hits = 0 }) => sum + hits, 0)
  return { ...line, unit: 'hits', count, items: items.map(hitItem) }
}

const hitItem = ({ source, score, text = '' }: FoundSource): LineItem => ({
  title: short(`${source || 'no name'}${score === undefined ? '' : `, ${score.toFixed(3)}`}`, TITLE),
  text: short(text, TEXT),
})

function itemOf({
  kind,
  name,
  input,
  output = '',
  calls = [],
  inputTokens,
  outputTokens,
}: RunSpan): LineItem {
  const asked = calls.map((call) => `${call.name}(${call.input})`).join(', ')
  const title =
    kind === 'model'
      ? `${inputTokens ?? 0} tokens read, ${outputTokens ?? 0} written`
      : `${name}(${input === undefined ? '' : JSON.stringify(input)})`
  return { title: short(title, TITLE), text: short(output || asked, TEXT) }
}

function stepLines(drawing: DrawingOfRun, executed: readonly ExecutedNode[]): RunLine[] {
  const lines = new Map(
    drawing.lines.map(({ from, to }): [string, RunLine] => [
      `${from}\n${to}`,
      { from, to, unit: 'times', count: 0, items: [] },
    ]),
  )
  const last = new Map<string, ExecutedNode>()
  for (const node of executed) {
    for (const before of node.previousNodeIds) {
      const line = lines.get(`${before}\n${node.nodeId}`)
      if (!line) continue
      line.count++
      line.items = [...line.items, outputItem(before, last.get(before))].slice(-LINE_ITEMS)
    }
    last.set(node.nodeId, node)
  }
  return [...lines.values()]
}

function outputItem(id: string, node: ExecutedNode | undefined): LineItem {
  const output = node?.data.output
  const content = isObject(output) ? (output.content ?? JSON.stringify(output)) : ''
  return { title: short(node?.nodeLabel ?? id, TITLE), text: short(String(content), TEXT) }
}

const short = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text
