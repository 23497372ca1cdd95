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
