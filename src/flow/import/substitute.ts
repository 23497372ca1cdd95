import { isEmptyInput } from '../../cards/field.ts'
import type { NodeCard } from '../../contract/card.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { drawAnchors, drawFacts, drawParams } from '../draw-card.ts'
import { written } from '../graph.ts'
import { type Alias, ALIASES } from './aliases.ts'

/** What an alias makes of a node. */
export type Substitute = {
  /** The name of the node here. */
  by: string
  /** What is different, or is not kept, a sentence each. */
  differs: string[]
}

const aliasOf = (name: unknown): Alias | undefined =>
  typeof name === 'string' && Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined

/**
 * Gives the inputs of a node, or of a part within one, the names and values that they have here. Undefined where the node has no
 * alias; then nothing is changed.
 */
export function substitute(name: unknown, inputs: JsonObject): Substitute | undefined {
  const alias = aliasOf(name)
  if (!alias) return undefined
  const by = typeof alias.by === 'string' ? alias.by : alias.by(inputs)
  for (const [theirs, ours] of Object.entries(alias.renames ?? {}))
    if (Object.hasOwn(inputs, theirs)) {
      inputs[ours] = inputs[theirs]!
      delete inputs[theirs]
    }
  return {
    by,
    differs: [...(alias.differs === undefined ? [] : [alias.differs]), ...(alias.adapt?.(inputs) ?? [])],
  }
}

/**
 * Changes the data of a node into that of its substitute. The label stays, since users know the node by it.
 *
 * @returns the inputs that had a value and that the substitute does not have
 */
export function replaceNode(data: JsonObject, name: string, catalog: Catalog): string[] {
  const card = catalog.get(name)!
  const id = written(data.id)
  const inputs = Object.entries(isObject(data.inputs) ? (data.inputs as JsonObject) : {})
  Object.assign(data, drawFacts(card), {
    ...(typeof data.label === 'string' ? { label: data.label } : {}),
    inputParams: drawParams(card, id),
    inputAnchors: drawAnchors(card, id),
    inputs: Object.fromEntries(inputs.filter(([input]) => hasInput(card, input))),
  })
  return inputs
    .filter(([input, value]) => !hasInput(card, input) && !isEmptyInput(value))
    .map(([input]) => input)
}

const hasInput = ({ fields, anchors }: NodeCard, input: string): boolean =>
  Object.hasOwn(fields, input) ||
  Object.hasOwn(anchors, input) ||
  input === 'credential' ||
  input === 'FLOWISE_CREDENTIAL_ID'
