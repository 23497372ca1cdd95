import type { Execution } from '../../server/executions.ts'

/** The tokens that the models of a run have read and written. Runs of earlier versions have them in their nodes alone. */
export function tokensOf({ spans, executionData }: Pick<Execution, 'spans' | 'executionData'>): number {
  if (spans.length > 0)
    return spans.reduce((sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens, 0)
  return executionData.reduce((sum, { data }) => sum + totalOf(data.output), 0)
}

function totalOf(output: unknown): number {
  const usage = isObject(output) ? output.usageMetadata : undefined
  const total = isObject(usage) ? usage.total_tokens : undefined
  return typeof total === 'number' ? total : 0
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
