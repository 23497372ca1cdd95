import { isObject } from '../../kit/json.ts'

/** A part that is configured within a node: `agentModel: "chatOpenAI"` with `agentModelConfig: {…}`. */
export type PartWithin = {
  /** The input of the node that names the part. */
  input: string
  /** Where that input is within the node: `agentModel`, `agentTools[0].agentSelectedTool`. */
  path: string
  name: string
  inputs: Record<string, unknown>
  rename(name: string): void
}

/**
 * All parts within the inputs of a node, at any depth, such as the models and tools of agent flows.
 *
 * @param prefix comes before the paths
 */
export function* partsWithin(inputs: Record<string, unknown>, prefix = ''): Iterable<PartWithin> {
  for (const [input, value] of Object.entries(inputs)) {
    const path = `${prefix}${input}`
    const config = inputs[`${input}Config`]
    if (typeof value === 'string' && isObject(config)) {
      yield {
        input,
        path,
        name: value,
        inputs: config,
        rename(name) {
          inputs[input] = name
          if (input in config) config[input] = name
        },
      }
      yield* partsWithin(config, `${path}.`)
    } else if (Array.isArray(value))
      for (const [row, item] of value.entries())
        if (isObject(item)) yield* partsWithin(item, `${path}[${row}].`)
  }
}
