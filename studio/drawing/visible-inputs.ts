import type { Json, JsonObject } from './flow-file.ts'
import type { NodeInput } from './node-kinds.ts'

type Shown = Pick<NodeInput, 'name' | 'show' | 'hidden' | 'default' | 'config'>

/**
 * The inputs that the form of a node shows: those whose conditions the other values meet. An old input that is hidden
 * is shown where a file still has a value for it. The values of a part within the node have a form of their own.
 */
export function visibleInputs<Input extends Shown>(inputs: readonly Input[], values: JsonObject): Input[] {
  const givenOrDefault = (name: string): Json | undefined => {
    const value = values[name]
    const given = value !== undefined && value !== null && value !== ''
    return given ? value : (inputs.find((input) => input.name === name)?.default as Json | undefined)
  }
  const configs = new Set(inputs.map(({ config }) => config))
  return inputs.filter(({ name, show = {}, hidden = false }) => {
    if (configs.has(name)) return false
    const value = values[name]
    if (hidden && (value === undefined || value === null || value === '')) return false
    return Object.entries(show).every(([other, wanted]) =>
      wanted.some((one) => String(one) === String(givenOrDefault(other) ?? '')),
    )
  })
}
