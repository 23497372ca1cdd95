import { z } from 'zod'
import { jsonValue } from './json.ts'

/** An input of a node: a value, or a connection to another node. */
const input = z.object({
  name: z.string(),
  label: z.string(),
  type: z.string(),
  description: z.string().optional(),
  fileType: z.string().optional(),
  options: z.array(z.object({ label: z.string(), name: z.string() })).optional(),
  default: jsonValue.optional(),
  optional: z.boolean(),
  additionalParams: z.boolean().optional(),
  list: z.boolean().optional(),
})

/** A kind of node, with what an editor of flows needs. */
export const nodeShape = z.object({
  name: z.string(),
  label: z.string(),
  version: z.number(),
  type: z.string(),
  category: z.string(),
  baseClasses: z.array(z.string()),
  description: z.string(),
  inputs: z.array(input),
})

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
