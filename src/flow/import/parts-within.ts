import { isObject } from '../../kit/json.ts'

/** A part that is configured within a node: `agentModel: "chatOpenAI"` with `agentModelConfig: {…}`. */
export type PartWithin = {
  /** The input of the node that names the part. */
  input: string
  name: string
  inputs: Record<string, unknown>
  rename(name: string): void
}

/** All parts within the inputs of a node, at any depth, such as the models and tools of agent flows. */
export function* partsWithin(inputs: Record<string, unknown>): Iterable<PartWithin> {
  for (const [input, value] of Object.entries(inputs)) {
    const config = inputs[`${input}Config`]
    if (typeof value === 'string' && isObject(config)) {
      yield {
        input,
        name: value,
        inputs: config,
        rename(name) {
          inputs[input] = name
          if (input in config) config[input] = name
        },
      }
      yield* partsWithin(config)
    } else if (Array.isArray(value)) for (const item of value) if (isObject(item)) yield* partsWithin(item)
  }
}
