import type { EngineRecipe } from '../contract/engine-source.ts'
import type { JsonObject } from '../kit/json.ts'
import type { Anchor, BuildContext, FlowContext, NodeCard, PartKind, PartKinds } from '../contract/card.ts'
import { InputError } from '../cards/input-error.ts'
import { isEmptyInput } from '../cards/field.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { Catalog } from './catalog.ts'
import { credentialKindsOf } from './credentials.ts'
import { type FlowNode, pluggedInto } from './graph.ts'
import { ownersServices } from './typed-addresses.ts'

export type AssembleOptions = {
  /** Kinds of parts that are not built: a query needs no loaders. */
  without?: readonly PartKind[]
  /** Overridden keys: if a node cannot be built and has one of them, the override is the error. */
  overridden?: ReadonlySet<string>
  /** Called with each part that was built, and the node that it was built from; parts of a node come before it. */
  built?: (part: object, nodeId: string) => void
}

/**
 * Builds a node and all nodes that plug into it, each once.
 *
 * @throws SluiceError `node_unknown`, `input_invalid`, `override_invalid`, `flow_invalid`
 */
export function assemble<K extends PartKind>(
  kind: K,
  rootId: string,
  nodes: ReadonlyMap<string, FlowNode>,
  catalog: Catalog,
  context: FlowContext,
  options: AssembleOptions = {},
): PartKinds[K] {
  const built = new Map<string, unknown>()
  const building = new Set<string>()

  const build = (id: string, anchor: { kind: PartKind; label: string }): unknown => {
    const node = nodes.get(id)
    if (!node)
      throw new SluiceError('flow_invalid', { reason: `it refers to the node ${id}, which does not exist` })
    const card = catalog.get(node.name)
    if (!card) throw new SluiceError('node_unknown', { node: node.name, nodeId: id })
    if (card.kind !== anchor.kind) {
      throw new SluiceError('flow_invalid', {
        reason: `${node.label} cannot be plugged in as ${anchor.label}`,
        nodeId: id,
      })
    }
    if (building.has(id))
      throw new SluiceError('flow_invalid', { reason: `${node.label} is plugged into itself`, nodeId: id })
    if (!built.has(id)) {
      building.add(id)
      built.set(id, buildNode(card, node))
      building.delete(id)
      options.built?.(built.get(id) as object, id)
    }
    return built.get(id)
  }

  const plugIn = (node: FlowNode, name: string, anchor: Anchor): unknown => {
    const ids = options.without?.includes(anchor.kind) ? [] : pluggedInto(node.inputs[name])
    if (anchor.list) return ids.map((id) => build(id, anchor))
    if (ids[0] !== undefined) return build(ids[0], anchor)
    if (anchor.optional) return undefined
    throw new SluiceError('flow_invalid', {
      reason: `nothing is plugged into ${anchor.label} of ${node.label}`,
      nodeId: node.id,
      inputName: name,
    })
  }

  const buildNode = (card: NodeCard, node: FlowNode): unknown => {
    const parts = Object.fromEntries(
      Object.entries(card.anchors).map(([name, anchor]) => [name, plugIn(node, name, anchor)]),
    )
    return buildPart(card, node, parts, context, options.overridden)
  }

  return build(rootId, { kind, label: kind }) as PartKinds[K]
}

/**
 * Builds the part of one node from the parts that plug into it.
 *
 * @param overridden keys that the request overrides: if the node has one of them, the override is the error
 * @throws SluiceError `input_invalid`, `override_invalid`, and what the card throws
 */
export function buildPart(
  card: NodeCard,
  node: FlowNode,
  parts: Record<string, unknown>,
  context: FlowContext & Pick<BuildContext, 'beforeUse'>,
  overridden?: ReadonlySet<string>,
): unknown {
  const values = readValues(card, node)
  try {
    const kinds = credentialKindsOf(card)
    const credential = (id: string) => context.credential(id, kinds)
    const services = ownersServices(context, context.typedAddresses, card, node)
    const recipe: EngineRecipe = {
      card: card.name,
      inputs: ownInputs(card, node),
      byRequest: services !== context,
    }
    const openSeparateStore: FlowContext['openSeparateStore'] = (namespace, engine) =>
      services.openSeparateStore(namespace, {
        ...engine,
        recipe,
        ...(card.experimental ? { experimental: true } : {}),
      })
    card.checkParts?.(parts)
    return card.build({ values, parts }, { ...services, openSeparateStore, nodeId: node.id, credential })
  } catch (error) {
    if (error instanceof SluiceError) throw error
    const reason = reasonOf(error)
    const key = Object.keys(card.fields).findLast((name) => overridden?.has(name))
    if (key !== undefined) throw new SluiceError('override_invalid', { key, reason }, { cause: error })
    throw refusedInput(card, node, error)
  }
}

/** The refusal of a node for what its card says about its inputs; it names one of them. */
export function refusedInput(card: NodeCard, node: FlowNode, error: unknown): SluiceError {
  const reason = reasonOf(error)
  const named = error instanceof InputError ? error.input : namedInput(card, reason)
  const input = named ?? onlyInput(card, node) ?? mainInput(card)
  const { instead, hint } = error instanceof InputError ? error : {}
  return new SluiceError(
    'input_invalid',
    {
      node: node.label,
      input: input === undefined ? 'settings' : ((card.fields[input] ?? card.anchors[input])?.label ?? input),
      reason,
      nodeId: node.id,
      ...(input === undefined ? {} : { inputName: input }),
      ...(hint === undefined ? {} : { hint }),
      ...(instead === undefined ? {} : { instead, hint: instead }),
    },
    { cause: error },
  )
}

/** The inputs of a node as they were given, without what plugs into it. */
const ownInputs = ({ fields }: NodeCard, { inputs }: FlowNode): JsonObject =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => name in fields)) as JsonObject

/** The input that has a value, where only one has. */
function onlyInput({ fields }: NodeCard, { inputs }: FlowNode): string | undefined {
  const given = Object.keys(fields).filter((name) => !isEmptyInput(inputs[name]))
  return given.length === 1 ? given[0] : undefined
}

/** The first input that a text names, or else the first whose label it has. */
export function namedInput({ fields }: Pick<NodeCard, 'fields'>, text: string): string | undefined {
  const first = (wordOf: (name: string) => string) =>
    Object.keys(fields)
      .map((name) => ({ name, at: text.search(new RegExp(`(?<!\\w)${RegExp.escape(wordOf(name))}(?!\\w)`)) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at)[0]?.name
  return first((name) => name) ?? first((name) => fields[name]!.label)
}

/** The input that the card shows first; undefined for a card without inputs. */
const mainInput = ({ fields }: NodeCard): string | undefined =>
  Object.keys(fields).find((name) => fields[name]!.main) ?? Object.keys(fields)[0]

/** Reads the raw inputs of a node by its card. Empty inputs get their defaults. */
export function readValues(card: NodeCard, node: FlowNode): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(card.fields)) {
    const raw = node.inputs[name]
    try {
      values[name] = isEmptyInput(raw) ? field.fallback : field.read(raw)
    } catch (error) {
      throw new SluiceError(
        'input_invalid',
        {
          node: node.label,
          input: field.label,
          reason: reasonOf(error),
          nodeId: node.id,
          inputName: name,
        },
        { cause: error },
      )
    }
  }
  return values
}
