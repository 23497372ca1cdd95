import type { JsonObject } from './flow-file.ts'
import type { DrawnNode, Graph } from './graph.ts'
import { isPlug, type NodeInput, type NodeKinds } from './node-kinds.ts'
import { valuesOfPart } from './parts-within.ts'
import { visibleInputs } from './visible-inputs.ts'

/** An input of a node as its form shows it. */
export type PlacedInput = {
  nodeId: string
  /** The label of the node. */
  node: string
  label: string
  /** Its place in the form: `chunkSize`, or `llmModel.temperature` in a part within the node. */
  path: string
}

/** All inputs of a drawing that can be filled in, with those of the parts that are configured within its nodes. */
export const allInputs = ({ nodes }: Graph, kinds: NodeKinds): PlacedInput[] =>
  nodes.flatMap((node) => [
    ...node.plugs.map(({ name, label }) => ({ nodeId: node.id, node: node.label, label, path: name })),
    ...formInputs(node, node.fields, node.values, kinds, ''),
  ])

function formInputs(
  node: DrawnNode,
  inputs: readonly NodeInput[],
  values: JsonObject,
  kinds: NodeKinds,
  start: string,
): PlacedInput[] {
  return visibleInputs(inputs, values).flatMap((input) => {
    const path = `${start}${input.name}`
    const placed = { nodeId: node.id, node: node.label, label: input.label, path }
    const chosen = values[input.name]
    const part = input.selects === undefined || typeof chosen !== 'string' ? undefined : kinds.get(chosen)
    if (!part) return [placed]
    const within = part.inputs.filter((one) => !isPlug(one))
    return [placed, ...formInputs(node, within, valuesOfPart(input, values), kinds, `${path}.`)]
  })
}
