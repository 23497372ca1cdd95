import { estimateToolTokens } from './cost.ts'
import type { ParsedApi } from './operation.ts'

/** What a description gives, for a person who wants to use it in an agent. */
export type ApiImportReport = {
  title: string
  version: string
  servers: string[]
  /** Estimated tokens of all tools, which every question costs. */
  tokens: number
  operations: {
    name: string
    method: string
    path: string
    description: string
    tokens: number
    /** Parts of the description that are ignored. */
    notes: string[]
    /** Why the operation cannot be a tool. */
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
