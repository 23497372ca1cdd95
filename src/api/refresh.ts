import { z } from 'zod'
import { count, filePassword, jsonValue } from './json.ts'

export const refreshQuery = z.object({ stopNodeId: z.string().optional() })
export const refreshBody = z.looseObject({
  stopNodeId: z.string().nullish(),
  password: filePassword.nullish(),
})

/** A setting with which documents were loaded, and the one that the flow has now. */
const settingChange = z.object({
  nodeId: z.string(),
  input: z.string().nullable(),
  label: z.string(),
  from: jsonValue,
  to: jsonValue,
})
export type SettingChangeAnswer = z.output<typeof settingChange>

/** How the documents of a flow differ from its settings, and what brings them up to date. */
export const loadComparison = z.object({
  next: z.enum(['refresh', 'send', 'reindex']).nullable(),
  differing: count,
  fromKept: count,
  fromLoaders: count,
  filesNeeded: z.object({ count, names: z.array(z.string()) }),
  unknownSettings: count,
  embedders: z.object({ from: z.string(), to: z.string() }).nullable(),
  differences: z.array(z.object({ differing: count, summary: z.string(), changes: z.array(settingChange) })),
})
export type LoadComparisonAnswer = z.output<typeof loadComparison>
