import type { JsonObject } from '../../kit/json.ts'

/** The position of a node in the drawing of a template, and its inputs that differ from the defaults. */
export type PlacedNode = { name: string; x: number; y: number; inputs: JsonObject }

/** A template of a flow, as `sluice flow new --template` and the route of templates list it. */
export type FlowTemplate = {
  /** The name that a user types. */
  name: string
  title: string
  /** One sentence about what such a flow does. */
  about: string
  /** By id. A connection is an input of the form `{{id.data.instance}}`. */
  nodes: Readonly<Record<string, PlacedNode>>
  /** For an agent flow: the ids of its nodes in the order in which they run. */
  steps?: readonly string[]
  /** The inputs that a request may override, by the id of the node. */
  overridable?: Readonly<Record<string, readonly string[]>>
  /** Inputs that must be set before the flow works, such as the address of a web site. */
  asks?: readonly string[]
}

export const instance = (id: string): string => `{{${id}.data.instance}}`
