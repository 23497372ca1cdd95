import { estimateToolTokens } from './cost.ts'
import type { ParsedApi } from './operation.ts'

/** What became of a description: what a person wants to know before giving it to an agent. */
export type ApiImportReport = {
  title: string
  version: string
  servers: string[]
  /** About what all tools cost of every question, in tokens. */
  tokens: number
  operations: {
    name: string
    method: string
    path: string
    description: string
    tokens: number
    /** What the description says of it that is not heeded. */
    notes: string[]
    /** Why it is no tool. */
    refused?: string
  }[]
}

export function apiImportReport({
  title,
  version,
  servers,
  operations,
  refused,
}: ParsedApi): ApiImportReport {
  const tools = operations.map(({ name, method, path, description, input, notes }) => ({
    name,
    method,
    path,
    description,
    tokens: estimateToolTokens({ name, description, parameters: input }),
    notes,
  }))
  return {
    title,
    version,
    servers,
    tokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
    operations: [
      ...tools,
      ...refused.map(({ method, path, reason }) => ({
        name: '',
        method,
        path,
        description: '',
        tokens: 0,
        notes: [],
        refused: reason,
      })),
    ],
  }
}
