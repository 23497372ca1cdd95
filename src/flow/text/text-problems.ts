import type { FlowProblem } from '../check/flow-problem.ts'
import type { TextSpan } from './read-text.ts'
import type { Mistake } from './read-yaml.ts'

/** A problem at its lines. `error`: the text is not a flow; `warning`: its flow cannot run so. */
export type ProblemInText = Mistake & {
  severity: 'error' | 'warning'
  nodeId: string | null
  input: string | null
}

/** Mistakes of a text with the nodes in whose lines they are. */
export const mistakesInText = (mistakes: readonly Mistake[], spans: readonly TextSpan[]): ProblemInText[] =>
  mistakes.map((mistake) => ({
    ...mistake,
    severity: 'error',
    nodeId:
      spans.findLast(({ line, endLine }) => line <= mistake.line && mistake.line <= endLine)?.nodeId ?? null,
    input: null,
  }))

/**
 * The problems of a flow at the lines of its text: at the input, else at the node, else at the first line.
 *
 * @param text the text that has the spans
 */
export function problemsInText(
  problems: readonly FlowProblem[],
  spans: readonly TextSpan[],
  text: string,
): ProblemInText[] {
  const byPlace = new Map<string, TextSpan>()
  for (const span of spans) {
    const key = `${span.nodeId} ${span.input}`
    if (!byPlace.has(key)) byPlace.set(key, span)
  }
  const lines = text.split('\n')
  return problems
    .map(({ nodeId, input, line: within, message }): ProblemInText => {
      const span = nodeId === null ? undefined : spanOf(nodeId, input)
      const { line, column, endLine } = span ?? { line: 1, column: 1, endLine: 1 }
      // The text of a block begins in the line below its name.
      const isBlock = /[|>][-+\d]*\s*$/.test(lines[line - 1] ?? '')
      const at = within !== null && isBlock ? Math.min(line + within, endLine) : line
      return {
        line: at,
        column: at === line ? column : 1,
        endLine: input === null ? at : Math.max(at, at === line ? endLine : at),
        severity: 'warning',
        message,
        nodeId,
        input,
      }
    })
    .toSorted((a, b) => a.line - b.line || a.column - b.column)

  /** `agentModel.temperature` is in the text as `agentModelConfig.temperature`. */
  function spanOf(nodeId: string, input: string | null): TextSpan | undefined {
    for (let path = input ?? ''; path !== ''; path = path.replace(/(^|[.[])[^.[]*$/, '')) {
      const found =
        byPlace.get(`${nodeId} ${path.replaceAll('.', 'Config.')}`) ?? byPlace.get(`${nodeId} ${path}`)
      if (found) return found
    }
    return byPlace.get(`${nodeId} null`)
  }
}
