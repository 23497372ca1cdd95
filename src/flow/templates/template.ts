import type { JsonObject } from '../../kit/json.ts'

/** Where a node of a template stands in the drawing, and the inputs that differ from its defaults. */
export type PlacedNode = { name: string; x: number; y: number; inputs: JsonObject }

/** A flow to begin with, as data: what `sluice flow new --template` and the route of templates offer. */
export type FlowTemplate = {
  /** What a person types. */
  name: string
  title: string
  /** One sentence: what a flow of it does. */
  about: string
  /** By id. A connection is an input of the form `{{id.data.instance}}`. */
  nodes: Readonly<Record<string, PlacedNode>>
  /** Of an agent flow: the ids of its nodes in the order in which they run. */
  steps?: readonly string[]
  /** The inputs that a request may override, by the id of the node. */
  overridable?: Readonly<Record<string, readonly string[]>>
  /** Inputs that have to be set before the flow can work, such as the address of a web site. */
  asks?: readonly string[]
}

export const instance = (id: string): string => `{{${id}.data.instance}}`
