import { z } from 'zod'
import { count, jsonValue } from './json.ts'

/** What a form needs of an input, and of a column of a list. */
const formInput = {
  name: z.string(),
  label: z.string(),
  type: z.string(),
  description: z.string().optional(),
  options: z.array(z.object({ label: z.string(), name: z.string() })).optional(),
  default: jsonValue.optional(),
  initial: jsonValue.optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  whole: z.boolean().optional(),
  unit: z.string().optional(),
  main: z.boolean().optional(),
  rows: count.optional(),
  language: z.string().optional(),
  show: z.record(z.string(), z.array(z.union([z.string(), z.boolean()]))).optional(),
  loadMethod: z.string().optional(),
  selects: z.enum(['chatModel', 'tools', 'vectorStore', 'embedder']).optional(),
  config: z.string().optional(),
  hidden: z.boolean().optional(),
  acceptVariable: z.boolean().optional(),
  guard: z.enum(['credential', 'url', 'path', 'table']).optional(),
}

/** A column may be a list itself. */
const column = z.object({ ...formInput, array: z.array(z.object(formInput)).optional() })

/** An input of a node: a value, or a connection to another node. */
const input = z.object({
  ...formInput,
  fileType: z.string().optional(),
  optional: z.boolean(),
  additionalParams: z.boolean().optional(),
  list: z.boolean().optional(),
  array: z.array(column).optional(),
})

/** A way out of a node; with `each`, one for each row of that input. */
const output = z.object({ label: z.string(), each: z.string().optional(), column: z.string().optional() })
export type NodeOutputAnswer = z.output<typeof output>

/** A kind of node, with what an editor of flows needs. */
export const nodeShape = z.object({
  name: z.string(),
  part: z.string(),
  label: z.string(),
  version: z.number(),
  type: z.string(),
  category: z.string(),
  icon: z.string(),
  colour: z.string(),
  baseClasses: z.array(z.string()),
  description: z.string(),
  badge: z.literal('EXPERIMENTAL').optional(),
  inputs: z.array(input),
  outputs: z.array(output),
})
export type NodeKindAnswer = z.output<typeof nodeShape>
export type NodeInputAnswer = z.output<typeof input>

/** A choice of an input that depends on other inputs. */
export const choice = z.object({
  label: z.string(),
  name: z.string(),
  description: z.string().optional(),
  tokens: z.number().optional(),
  notes: z.array(z.string()).optional(),
  refused: z.string().optional(),
})
export const choiceList = z.array(choice)
export type NodeChoiceAnswer = z.output<typeof choice>
export const nodeList = z.array(nodeShape)

/** The name of a list of choices, and the inputs that it depends on. */
export const loadMethodBody = z.looseObject({
  loadMethod: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
})

/** The inputs of a flow that requests may override, where the configuration of the flow allows it. */
export const flowInputList = z.array(
  z.object({
    node: z.string(),
    nodeId: z.string(),
    label: z.string(),
    name: z.string(),
    type: z.string(),
  }),
)

export const nodeListHeaders = z.object({ 'If-None-Match': z.string().optional() })
