import type { FlowContext, NodeCard } from '../../contract/card.ts'
import { type Field, isEmptyInput } from '../../contract/field.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { readValues } from '../assemble.ts'
import type { Catalog } from '../catalog.ts'
import { credentialKindsOf, wrongCredentialKind } from '../credentials.ts'
import { type FlowGraph, type FlowNode, isAgentFlow, readGraph, withCredential } from '../graph.ts'
import { partsWithin } from '../import/parts-within.ts'
import { missingOf } from '../import/missing.ts'
import { BUILDABLE_KINDS } from '../settings/check-parts.ts'
import { connectionProblems } from './connections.ts'
import type { FlowProblem } from './flow-problem.ts'
import { jsonErrorLine } from './json-error-line.ts'

/** What a check compares with: the credentials by id, and the ids and slugs of all flows. */
export type CheckContext = {
  catalog: Catalog
  credentials: ReadonlyMap<string, { name: string; kind: string }>
  flows: ReadonlySet<string>
  /** For building splitters and record managers. */
  context: FlowContext
}

/**
 * All problems of a flow, without running any part of it. A value with a variable (`{{…}}`) is not checked: it is known
 * when the flow runs.
 *
 * @param flowData the drawing, as JSON text or as an object
 */
export function findProblems(flowData: unknown, options: CheckContext): FlowProblem[] {
  let graph: FlowGraph
  try {
    graph = readGraph(flowData)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return [{ nodeId: null, input: null, line: lineOf(flowData), code: error.code, message: error.message }]
  }
  return [
    ...wholeProblems(graph),
    ...connectionProblems(graph, options.catalog),
    ...[...graph.nodes.values()].flatMap((node) => [...nodeProblems(node, options)]),
  ]
}

const lineOf = (flowData: unknown) => (typeof flowData === 'string' ? jsonErrorLine(flowData) : null)

function wholeProblems(graph: FlowGraph): FlowProblem[] {
  const hasStart = [...graph.nodes.values()].some(({ name }) => name === 'startAgentflow')
  if (!isAgentFlow(graph) || hasStart) return []
  const { code, message } = new SluiceError('flow_cannot_answer', { reason: 'it has no Start node' })
  return [{ nodeId: null, input: null, line: null, code, message }]
}

function* nodeProblems(node: FlowNode, options: CheckContext): Iterable<FlowProblem> {
  const card = options.catalog.get(node.name)
  if (!card) return yield problem(node, null, new SluiceError('node_unknown', { node: node.name }))
  yield* inputProblems(node, '', card, node, options)
  for (const { path, name, inputs } of partsWithin(node.inputs)) {
    const partCard = options.catalog.get(name)
    if (!partCard) yield problem(node, path, new SluiceError('node_unknown', { node: name }))
    else {
      const part = {
        ...node,
        name,
        label: `${partCard.label} in ${node.label}`,
        inputs: withCredential({}, inputs),
      }
      yield* inputProblems(node, `${path}.`, partCard, part, options)
    }
  }
}

/** @param prefix is put before the names of inputs; empty except for a part within the node */
function* inputProblems(
  node: FlowNode,
  prefix: string,
  card: NodeCard,
  { label, inputs, ...rest }: FlowNode,
  { credentials, flows, context }: CheckContext,
): Iterable<FlowProblem> {
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
    const error = new SluiceError('input_invalid', { node: label, input: card.fields[input]!.label, reason })
    yield problem(node, prefix + input, error)
  }
  const error = credentialError(card, inputs.credential, label, credentials)
  if (error) yield problem(node, `${prefix}credential`, error)
  const built = buildError(card, { label, inputs, ...rest }, context)
  if (built) yield problem(node, null, built)
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

/** Builds a part whose values may contradict each other, such as an overlap that is not smaller than the size. */
function buildError(card: NodeCard, node: FlowNode, context: FlowContext): SluiceError | undefined {
  if (
    !BUILDABLE_KINDS.includes(card.kind) ||
    Object.values(node.inputs).some((raw) => raw && hasVariable(raw))
  )
    return undefined
  try {
    card.build({ values: readValues(card, node), parts: {} }, { ...context, nodeId: node.id })
    return undefined
  } catch (error) {
    if (error instanceof SluiceError) return error
    const input = Object.keys(card.fields).join(', ')
    return new SluiceError('input_invalid', { node: node.label, input, reason: reasonOf(error) })
  }
}

const problem = (
  { id }: FlowNode,
  input: string | null,
  { code, message }: SluiceError,
  line: number | null = null,
): FlowProblem => ({ nodeId: id, input, line, code, message })
