import type { ExecutedNode } from '../../server/chat.ts'

/** The tokens that the models of a run have read and written. */
export function tokensOf(nodes: readonly ExecutedNode[]): number {
  return nodes.reduce((sum, { data }) => sum + totalOf(data.output), 0)
}

function totalOf(output: unknown): number {
  const usage = isObject(output) ? output.usageMetadata : undefined
  const total = isObject(usage) ? usage.total_tokens : undefined
  return typeof total === 'number' ? total : 0
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
