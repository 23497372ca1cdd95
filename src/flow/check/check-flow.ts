import { SluiceError } from '../../kit/errors.ts'
import type { Catalog } from '../catalog.ts'
import { type FlowGraph, isAgentFlow, readGraph } from '../graph.ts'
import { storeNodes } from '../participants.ts'
import { answererNodes } from '../plan-prediction.ts'
import { type CheckContext, findProblems } from './find-problems.ts'
import { type FlowProblem, PLURALS, type RequestKind } from './flow-problem.ts'
import { gravestFirst, type ReportRow, type Runs, runsWith } from './report-row.ts'
import { unknownVariables } from './unknown-variables.ts'

/** What a check says of a flow: the problems at their places for an editor, and the report for a person. */
export type FlowCheck = { runs: Runs; nodes: number; problems: FlowProblem[]; rows: ReportRow[] }

/**
 * Checks a flow before its first question: the one check behind imports, `sluice flow check` and `/flows/validate`. It builds every
 * part as a request does; nothing connects.
 *
 * @param flowData the drawing, as JSON text or as an object
 * @param more rows that the check cannot know, such as what an import has changed; those at the place of a problem that say the same
 *   (`needed`, `unsupported`, `note`) are left out
 */
export async function checkFlow(
  flowData: unknown,
  context: CheckContext,
  more: readonly ReportRow[] = [],
): Promise<FlowCheck> {
  const problems = await findProblems(flowData, context)
  const graph = graphOf(flowData)
  const labels = new Map([...(graph?.nodes ?? [])].map(([id, { label }]) => [id, label]))
  const found = problems.map((problem) => rowOf(problem, labels))
  const places = new Set(found.map(placeOf))
  const rows = gravestFirst([
    ...found,
    ...(graph?.nodes.size === 0 ? [EMPTY] : []),
    ...(graph && onlySearches(graph, context.catalog) ? [SEARCHES] : []),
    ...more.filter((row) => !saysLess(row) || !places.has(placeOf(row))),
    ...(graph ? await unknownVariables(graph, context) : []),
  ])
  return { runs: runsWith(rows), nodes: graph?.nodes.size ?? 0, problems, rows }
}

/** Undefined for a drawing that cannot be read, which is a problem of its own. */
function graphOf(flowData: unknown): FlowGraph | undefined {
  try {
    return readGraph(flowData)
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

const EMPTY: ReportRow = {
  nodeId: null,
  node: null,
  input: null,
  severity: 'needed',
  what: 'The drawing has no nodes',
  instead: 'Draw the flow, or make one from a template',
}

const SEARCHES: ReportRow = {
  nodeId: null,
  node: null,
  input: null,
  severity: 'note',
  what: 'The flow takes documents and finds them; it answers no questions',
  instead: 'Add a chain or an agent with a chat model, if it is to answer',
}

const onlySearches = (graph: FlowGraph, catalog: Catalog): boolean =>
  !isAgentFlow(graph) && storeNodes(graph, catalog).length > 0 && answererNodes(graph, catalog).length === 0

/** A problem that refuses no request is of a node that takes part in nothing. */
function rowOf(problem: FlowProblem, labels: ReadonlyMap<string, string>): ReportRow {
  const { nodeId, input, message, instead, requests } = problem
  const takesPart = requests.length > 0
  return {
    nodeId,
    node: nodeId === null ? null : (labels.get(nodeId) ?? nodeId),
    input,
    severity: takesPart ? problem.severity : 'dropped',
    what: takesPart ? `${message}${onlyOf(requests)}` : `${message}; the node takes part in nothing`,
    instead,
  }
}

const placeOf = ({ nodeId, input }: ReportRow) => `${nodeId} ${input}`
/** Rows that a problem at the same place says better. */
const saysLess = ({ severity }: ReportRow) => severity !== 'changed' && severity !== 'dropped'

/** Which requests a problem refuses, where the flow answers questions all the same. */
const onlyOf = (requests: readonly RequestKind[]): string =>
  requests.includes('prediction')
    ? ''
    : ` (${requests.map((kind) => PLURALS[kind]).join(' and ')} are refused)`
