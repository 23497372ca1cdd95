import { isObject } from '../../kit/json.ts'

/** A part that a node names and keeps the inputs of: `agentModel: "chatOpenAI"` beside `agentModelConfig: {…}`. */
export type Dressed = {
  /** The input that names it. */
  input: string
  name: string
  inputs: Record<string, unknown>
  rename(name: string): void
}

/** All parts that the inputs of a node hold, at any depth; nodes of agent flows keep their models and tools so. */
export function* partsWithin(inputs: Record<string, unknown>): Iterable<Dressed> {
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
