import type { FlowContext, NodeCard } from '../../contract/card.ts'
import type { Field } from '../../contract/field.ts'
import { isEmptyInput } from '../../cards/field.ts'
import { breather } from '../../kit/breather.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import type { Catalog } from '../catalog.ts'
import { credentialKindsOf, wrongCredentialKind } from '../credentials.ts'
import { findAnswerer } from '../plan-prediction.ts'
import { refuseLargeFlow } from '../flow-size.ts'
import { type FlowGraph, type FlowNode, isAgentFlow, readGraph, withCredential } from '../graph.ts'
import { partsWithin } from '../import/parts-within.ts'
import { missingAdvice, missingOf } from '../import/missing.ts'
import { storeNodes } from '../participants.ts'
import { nodesOfRequests, type RequestNodes } from './affected-requests.ts'
import {
  type Checked,
  type PartRefusal,
  inOrder,
  partialFailures,
  pluggedParts,
  stepFailures,
  tryPart,
} from './build-problems.ts'
import { connectionProblems } from './connections.ts'
import type { FlowProblem, RequestKind } from './flow-problem.ts'
import { jsonErrorLine } from './json-error-line.ts'
import { unknownNode } from './instead.ts'
import { adviceOf } from './report-row.ts'

/** What a check compares with: the credentials by id, and the ids and slugs of all flows. */
export type CheckContext = {
  catalog: Catalog
  credentials: ReadonlyMap<string, { name: string; kind: string }>
  flows: ReadonlySet<string>
  /** The names of the variables of the workspace. */
  variables: ReadonlySet<string>
  /** For building parts as requests do. Nothing connects, and nothing is stored. */
  context: FlowContext
}

/** A problem, before it is known which requests it concerns. */
type Found = Omit<FlowProblem, 'requests'> & { requests?: RequestKind[] }

/**
 * All problems of a flow: what requests would refuse, found by building its parts as requests build them. A value with a
 * variable (`{{…}}`) that a request fills in is not checked: it is known when the flow runs.
 *
 * @param flowData the drawing, as JSON text or as an object
 */
export async function findProblems(flowData: unknown, options: CheckContext): Promise<FlowProblem[]> {
  let graph: FlowGraph
  try {
    refuseLargeFlow(flowData)
    graph = readGraph(flowData)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const { code, message } = error
    return [
      { nodeId: null, input: null, line: lineOf(flowData), code, message, ...adviceOf(error), requests: ALL },
    ]
  }
  const nodes = nodesOfRequests(graph, options.catalog)
  const found: Found[] = [
    ...wholeProblems(graph, nodes, options.catalog),
    ...connectionProblems(graph, options.catalog),
    ...(await problemsOfNodes(graph, nodes, options)),
  ]
  return found.map(({ requests, ...problem }) => ({
    ...problem,
    requests: requests ?? ALL.filter((kind) => problem.nodeId !== null && nodes[kind].has(problem.nodeId)),
  }))
}

const ALL: RequestKind[] = ['upsert', 'query', 'prediction']

const lineOf = (flowData: unknown) => (typeof flowData === 'string' ? jsonErrorLine(flowData) : null)

/** A drawing without nodes has no problem: it is the beginning of a flow. */
function wholeProblems(graph: FlowGraph, nodes: RequestNodes, catalog: Catalog): Found[] {
  if (isAgentFlow(graph)) {
    const hasStart = [...graph.nodes.values()].some(({ name }) => name === 'startAgentflow')
    return hasStart ? [] : [whole(new SluiceError('flow_cannot_answer', { reason: 'it has no Start node' }))]
  }
  if (graph.nodes.size === 0 || nodes.prediction.size > 0) return []
  try {
    findAnswerer(graph, catalog)
    return []
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    // A flow that only stores and finds documents needs no node that answers.
    const isSearch = error.code === 'flow_cannot_answer' && storeNodes(graph, catalog).length > 0
    const hasAnswerers = [...graph.nodes.values()].some(({ name }) => catalog.get(name)?.kind === 'answerer')
    // Unknown nodes are reported one by one.
    return (isSearch && !hasAnswerers) || error.code === 'node_unknown' ? [] : [whole(error)]
  }
}

const whole = (error: SluiceError): Found => ({
  nodeId: null,
  input: null,
  line: null,
  code: error.code,
  message: error.message,
  ...adviceOf(error),
  requests: ['prediction'],
})

/** The problems of each node, in the order of the drawing. */
async function problemsOfNodes(
  graph: FlowGraph,
  requests: RequestNodes,
  options: CheckContext,
): Promise<Found[]> {
  const problems = new Map<string, Found[]>()
  const breathe = breather()
  for (const node of graph.nodes.values()) {
    await breathe()
    problems.set(node.id, [...nodeProblems(node, options)])
  }
  const checked: Checked = { graph, catalog: options.catalog, context: options.context }
  const built = new Map<string, unknown>()
  for (const node of inOrder(graph, options.catalog)) {
    await breathe()
    const card = options.catalog.get(node.name)
    const before = problems.get(node.id)!
    if (!card || before.length > 0) continue
    for (const { error, input } of await buildFailures(node, card, checked, { built, requests }))
      before.push(problem(node, input, error))
    if (card.kind !== 'step') continue
    for (const part of await failuresWithin(node, options)) before.push(part)
  }
  return [...problems.values()].flat()
}

async function buildFailures(
  node: FlowNode,
  card: NodeCard,
  checked: Checked,
  { built, requests }: { built: Map<string, unknown>; requests: RequestNodes },
): Promise<PartRefusal[]> {
  if (card.kind === 'step') return stepFailures(card, node, checked)
  const parts = pluggedParts(node, card, checked, built)
  if (!parts) return partialFailures(node, card, built)
  if (!isFinal(node, card, requests) && hasOpenValue(card, node.inputs)) return []
  const tried = await tryPart(card, node, parts, checked.context)
  if ('refusals' in tried) return tried.refusals
  built.set(node.id, tried.part)
  return []
}

/** Whether a request builds the node without filling in variables: for an upsert, as a node that answers or makes a value, and as a prompt. */
const isFinal = ({ id }: FlowNode, { kind }: NodeCard, { upsert }: RequestNodes): boolean =>
  ['answerer', 'value', 'prompt', 'namedPrompt', 'passages'].includes(kind) || upsert.has(id)

/** What a run refuses in the parts that are configured within a step. */
async function failuresWithin(node: FlowNode, { catalog, context }: CheckContext): Promise<Found[]> {
  const found: Found[] = []
  for (const { path, name, inputs } of partsWithin(node.inputs)) {
    const card = catalog.get(name)
    if (!card || hasOpenValue(card, withCredential({}, inputs))) continue
    const tried = await tryPart(card, partNode(node, card, inputs), {}, context)
    if (!('refusals' in tried)) continue
    for (const { error, input } of tried.refusals)
      found.push(problem(node, input === null ? path : `${path}.${input}`, error))
  }
  return found
}

/** A part within a node, as if it were a node of its own. */
const partNode = (node: FlowNode, card: NodeCard, inputs: Record<string, unknown>): FlowNode => ({
  ...node,
  name: card.name,
  label: `${card.label} in ${node.label}`,
  inputs: withCredential({}, inputs),
})

function* nodeProblems(node: FlowNode, options: CheckContext): Iterable<Found> {
  const card = options.catalog.get(node.name)
  if (!card) return yield problem(node, null, unknownNode(node.name, node.category))
  yield* inputProblems(node, '', card, node, options)
  for (const { path, name, inputs } of partsWithin(node.inputs)) {
    const partCard = options.catalog.get(name)
    if (!partCard) yield problem(node, path, unknownNode(name, ''))
    else yield* inputProblems(node, `${path}.`, partCard, partNode(node, partCard, inputs), options)
  }
}

/** @param prefix is put before the names of inputs; empty except for a part within the node */
function* inputProblems(
  node: FlowNode,
  prefix: string,
  card: NodeCard,
  { label, inputs }: FlowNode,
  { credentials, flows }: CheckContext,
): Iterable<Found> {
  let valid = true
  for (const [name, field] of Object.entries(card.fields)) {
    const error = valueError(field, inputs[name], label)
    if (!error) continue
    valid = false
    yield problem(
      node,
      prefix + name,
      error,
      typeof inputs[name] === 'string' ? jsonErrorLine(inputs[name]) : null,
    )
  }
  if (!valid) return
  for (const { input, what, named } of missingOf(card, inputs, flows)) {
    if (what === 'file' && named !== '') continue
    const reason = named === '' ? 'it is empty' : `there is no ${what} ${named}`
    const facts = { node: label, input: card.fields[input]!.label, reason, ...missingAdvice(what, named) }
    const error = new SluiceError('input_invalid', facts)
    yield problem(node, prefix + input, error)
  }
  const error = credentialError(card, inputs.credential, label, credentials)
  if (error) yield problem(node, `${prefix}credential`, error)
}

function valueError(field: Field<unknown>, raw: unknown, node: string): SluiceError | undefined {
  if (isEmptyInput(raw) || hasVariable(raw)) return undefined
  try {
    field.read(raw)
    return undefined
  } catch (error) {
    return new SluiceError('input_invalid', { node, input: field.label, reason: reasonOf(error) })
  }
}

/** Whether an input has a value that is only known when the flow runs. */
const hasOpenValue = ({ fields }: NodeCard, inputs: Record<string, unknown>): boolean =>
  Object.keys(fields).some((name) => !isEmptyInput(inputs[name]) && hasVariable(inputs[name]))

const hasVariable = (raw: unknown): boolean =>
  (typeof raw === 'string' ? raw : JSON.stringify(raw)).includes('{{')

function credentialError(
  card: NodeCard,
  id: unknown,
  node: string,
  credentials: CheckContext['credentials'],
): SluiceError | undefined {
  const kinds = credentialKindsOf(card)
  if (kinds.length === 0 || typeof id !== 'string' || id === '') return undefined
  const found = credentials.get(id)
  if (!found) return new SluiceError('credential_not_found', { id })
  return kinds.includes(found.kind) ? undefined : wrongCredentialKind(node, kinds, found)
}

const problem = (
  { id }: FlowNode,
  input: string | null,
  error: SluiceError,
  line: number | null = null,
): Found => ({
  nodeId: id,
  input,
  line,
  code: error.code,
  message: error.message,
  ...adviceOf(error),
})
