import type { FlowContext, NodeCard } from '../../contract/card.ts'
import { SluiceError } from '../../kit/errors.ts'
import { InputError } from '../../cards/input-error.ts'
import { buildPart, namedInput, refusedInput } from '../assemble.ts'
import type { Catalog } from '../catalog.ts'
import { chosenNodesIn } from '../chosen-nodes.ts'
import { buildStep } from '../build-step.ts'
import { filledStep } from '../fill-step.ts'
import { type FlowGraph, type FlowNode, pluggedInto } from '../graph.ts'
import { sourcesOf } from '../named-nodes.ts'
import { findNamedNode } from '../step-route.ts'
/** What a request would refuse, and the input that it is about. */
export type PartRefusal = { error: SluiceError; input: string | null }

type Look = () => Promise<unknown>

/**
 * Builds a part as a request does, and looks at all that it looks at before its first call, such as its credential. Nothing
 * connects. Returns the part, or what a request would refuse.
 */
export async function tryPart(
  card: NodeCard,
  node: FlowNode,
  parts: Record<string, unknown>,
  context: FlowContext,
): Promise<{ part: unknown } | { refusals: PartRefusal[] }> {
  const looks: { look: Look; input: string | undefined }[] = []
  const refusals: PartRefusal[] = []
  const note = (thrown: unknown, about?: string) => {
    const error = thrown instanceof InputError ? refusedInput(card, node, thrown) : thrown
    if (!(error instanceof SluiceError)) throw error
    refusals.push({ error, input: about ?? inputOf(card, error) })
  }
  try {
    const part = buildPart(card, node, parts, {
      ...context,
      beforeUse: (look, input) => void looks.push({ look, input }),
    })
    for (const { look, input } of looks) await look().catch((error: unknown) => note(error, input))
    if (refusals.length === 0) return { part }
  } catch (error) {
    note(error)
  }
  return { refusals }
}

/** The input that a refusal is about. */
function inputOf(card: NodeCard, { code, facts, message }: SluiceError): string | null {
  if (typeof facts.inputName === 'string') return facts.inputName
  if (code.startsWith('credential_')) return 'credential'
  return namedInput(card, message) ?? null
}

/** What the check knows of a node before it is built. */
export type Checked = { graph: FlowGraph; catalog: Catalog; context: FlowContext }

/**
 * The nodes in an order in which each comes after those that plug into it. Nodes of circles, and those behind them, are left
 * out: no request can build them.
 */
export function inOrder(graph: FlowGraph, catalog: Catalog): FlowNode[] {
  const waiting = new Map<string, number>()
  const users = new Map<string, FlowNode[]>()
  for (const node of graph.nodes.values()) {
    const sources = new Set(sourcesOf(node, graph, catalog).filter((id) => graph.nodes.has(id)))
    waiting.set(node.id, sources.size)
    for (const id of sources) users.set(id, [...(users.get(id) ?? []), node])
  }
  const ordered = [...graph.nodes.values()].filter(({ id }) => waiting.get(id) === 0)
  for (const { id } of ordered)
    for (const user of users.get(id) ?? []) {
      const left = waiting.get(user.id)! - 1
      waiting.set(user.id, left)
      if (left === 0) ordered.push(user)
    }
  return ordered
}

/** The parts that plug into a node; undefined where one is missing, does not fit, or could not be built. */
export function pluggedParts(
  node: FlowNode,
  card: NodeCard,
  { graph, catalog }: Checked,
  built: ReadonlyMap<string, unknown>,
): Record<string, unknown> | undefined {
  const parts: Record<string, unknown> = {}
  for (const [name, { kind, list, optional }] of Object.entries(card.anchors)) {
    const ids = pluggedInto(node.inputs[name])
    if (ids.length === 0 && !optional) return undefined
    const fits = ids.every((id) => {
      const source = graph.nodes.get(id)
      return source && built.has(id) && catalog.get(source.name)?.kind === kind
    })
    if (!fits) return undefined
    const found = ids.map((id) => built.get(id))
    parts[name] = list ? found : found[0]
  }
  return parts
}

/** What a node refuses of the parts that could be built, where others could not. */
export function partialFailures(
  node: FlowNode,
  card: NodeCard,
  built: ReadonlyMap<string, unknown>,
): PartRefusal[] {
  const parts = Object.entries(card.anchors).flatMap(([name, { list }]) => {
    const ids = pluggedInto(node.inputs[name])
    return !list && ids[0] !== undefined && built.has(ids[0]) ? [[name, built.get(ids[0])] as const] : []
  })
  try {
    card.checkParts?.(Object.fromEntries(parts))
    return []
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return [{ error: refusedInput(card, node, error), input: error.input }]
  }
}

/** What a run refuses in a step of an agent flow: the step itself, the parts that it names, and where it goes back to. */
export async function stepFailures(
  card: NodeCard,
  node: FlowNode,
  { graph, catalog, context }: Checked,
): Promise<PartRefusal[]> {
  // A run is checked before its variables are known.
  const filled = filledStep(node, catalog, () => undefined)
  const tried = await tryPart(card, filled, {}, context)
  if ('refusals' in tried) return tried.refusals
  const { step, parts } = buildStep({ catalog, nodeServices: context }, context, node, () => undefined)
  const failures: PartRefusal[] = []
  for (const [kind, chosen] of chosenNodesIn(step)) {
    const refused = refusalOf(() => parts.check(kind, chosen))
    const partCard = catalog.get(chosen.name)
    if (refused) failures.push({ error: refused, input: null })
    // The inputs of a part that has some are checked with those of the node.
    else if (partCard && Object.keys(chosen.inputs).length === 0) {
      const part = { ...node, label: `${partCard.label} in ${node.label}`, inputs: {} }
      const made = await tryPart(partCard, part, {}, context)
      if ('refusals' in made) failures.push(...made.refusals.map(({ error }) => ({ error, input: null })))
    }
  }
  if (step.type === 'model' && failures.length === 0 && step.tools.length + step.knowledge.length > 0) {
    const made = refusalOf(() => {
      if (parts.make('chatModel', step.model).callsTools !== false) return
      const reason = 'its models call no tools'
      const instead = 'Use another chat model, or take tools and knowledge out'
      throw new SluiceError('provider_failed', { provider: step.model.name, reason, instead, stage: 'chat' })
    })
    if (made) failures.push({ error: made, input: inputNamedModel(card) })
  }
  const lost = step.type === 'loop' ? refusalOf(() => findNamedNode(graph, step.to)) : undefined
  if (lost) failures.push({ error: lost, input: 'loopBackToNode' })
  return failures
}

/** The input of a step that selects its model. */
const inputNamedModel = (card: NodeCard): string | null =>
  Object.entries(card.fields).find(([, { selects }]) => selects === 'chatModel')?.[0] ?? null

/** The refusal of a look; undefined if there is none. */
function refusalOf(look: () => unknown): SluiceError | undefined {
  try {
    look()
    return undefined
  } catch (error) {
    if (error instanceof SluiceError) return error
    throw error
  }
}
