import { z } from 'zod'
import { jsonValue } from './json.ts'

/** An input that a person fills in, or a place where another node plugs in. */
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

/** A kind of node, for an editor of flows. */
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

/** What an input offers once others are known. */
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

/** Which list of choices, and the inputs that are known. */
export const loadMethodBody = z.looseObject({
  loadMethod: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
})

/** The inputs of a flow that its configuration can open to requests. */
export const flowInputList = z.array(
  z.object({
    node: z.string(),
    nodeId: z.string(),
    label: z.string(),
    name: z.string(),
    type: z.string(),
  }),
)
