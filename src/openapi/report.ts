import { estimateToolTokens } from './cost.ts'
import type { ParsedApi } from './operation.ts'

/** The operations of a description, with their cost and problems, for the editor. */
export type ApiImportReport = {
  title: string
  version: string
  servers: string[]
  /** Estimated tokens of all tools. Each call of a model with these tools costs them. */
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

/** The report on a description. A refused operation has an empty name. */
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
