import type { NodeKindAnswer } from '../../src/api/node.ts'
import { isObject, type Json, type JsonObject } from './flow-file.ts'
import { isPlug, type NodeInput, type NodeKinds } from './node-kinds.ts'

/*
 * Parts that are configured within a node instead of being plugged in: the input `agentModel` has the name of the kind,
 * `agentModelConfig` has the inputs of that part.
 */

/** The kinds that an input can select. A kind that needs other nodes plugged in cannot stand within a node. */
export const selectableKinds = (kinds: NodeKinds, { selects }: NodeInput): NodeKindAnswer[] =>
  [...kinds.values()].filter(
    ({ part, inputs }) =>
      part === selects &&
      // A vector store gets its embedder from the input beside it.
      (selects === 'vectorStore' || inputs.every((input) => !isPlug(input) || input.optional)),
  )

/** The values of the part that is configured within a node. */
export function valuesOfPart(input: NodeInput, values: JsonObject): JsonObject {
  const held = input.config === undefined ? undefined : values[input.config]
  return isObject(held) ? held : {}
}

/**
 * What changes in a node when a kind is selected. The values that the new kind has too are kept; all others come back
 * with undo.
 */
export function selectPart(
  input: NodeInput,
  kind: NodeKindAnswer | undefined,
  values: JsonObject,
): JsonObject {
  if (input.config === undefined) return { [input.name]: kind?.name ?? '' }
  if (!kind) return { [input.name]: '', [input.config]: {} }
  const before = valuesOfPart(input, values)
  const config: JsonObject = {}
  for (const { name, type, default: usual = '', initial = usual } of kind.inputs.filter(
    (one) => !isPlug(one),
  ))
    config[name] = name in before && type !== 'credential' ? before[name]! : (initial as Json)
  return { [input.name]: kind.name, [input.config]: { ...config, [input.name]: kind.name } }
}
