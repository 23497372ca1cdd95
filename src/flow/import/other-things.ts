import type { Variable } from '../../contract/variable.ts'
import { isObject } from '../../kit/json.ts'
import type { ReportRow } from '../check/report-row.ts'
import { written } from '../graph.ts'

/** The lists of an export of a whole instance that are no flows, with what each thing is and what this server has in its place. */
const OTHERS: Readonly<Record<string, { thing: string; instead: string | null }>> = {
  Assistant: {
    thing: 'assistant',
    instead: 'Make a flow with toolAgent, its model, its tools and its instructions',
  },
  CustomTemplate: { thing: 'template', instead: 'Import the flow in it, and copy it' },
  Dataset: { thing: 'dataset', instead: 'Use sluice eval with a collection of questions' },
  Evaluation: { thing: 'evaluation', instead: 'Use sluice eval' },
  Evaluator: { thing: 'evaluator', instead: 'Use sluice eval' },
}

/** Lists of what was said and done, which is not brought along: they are counted. */
const PAST: Readonly<Record<string, string>> = {
  ChatMessage: 'chat messages',
  ChatMessageFeedback: 'feedback on messages',
  Execution: 'executions',
  DocumentStoreFileChunk: 'chunks of document stores',
  DatasetRow: 'rows of datasets',
  EvaluationRun: 'runs of evaluations',
}

/** A row for each thing of an export of a whole instance that cannot be imported. */
export function otherThings(exported: Record<string, unknown>): ReportRow[] {
  const things = Object.entries(OTHERS).flatMap(([list, { thing, instead }]) =>
    rowsOf(exported, list).map((one) =>
      row(nameOf(one), `The ${thing} ${nameOf(one)} is not imported: this server has none`, instead),
    ),
  )
  const past = Object.entries(PAST).flatMap(([list, what]) => {
    const count = rowsOf(exported, list).length
    return count === 0 ? [] : [row(null, `${count.toLocaleString('en')} ${what} are not imported`, null)]
  })
  return [...things, ...past]
}

/** The variables in an export of a whole instance. A row without a name is passed over. */
export const exportedVariables = (exported: Record<string, unknown>): Variable[] =>
  rowsOf(exported, 'Variable').flatMap(({ name, type, value }) =>
    typeof name === 'string' && name.trim() !== ''
      ? [
          {
            name: name.trim(),
            type: type === 'runtime' ? ('runtime' as const) : ('static' as const),
            value: type === 'runtime' ? '' : written(value),
          },
        ]
      : [],
  )

const rowsOf = (exported: Record<string, unknown>, list: string): Record<string, unknown>[] => {
  const rows = exported[list]
  return Array.isArray(rows) ? rows.filter(isObject) : []
}

/** An assistant has its name within its details. */
function nameOf({ name, details, id }: Record<string, unknown>): string {
  if (typeof name === 'string' && name !== '') return name
  const inner = typeof details === 'string' ? /"name"\s*:\s*"([^"]{1,200})"/.exec(details)?.[1] : undefined
  return inner ?? (written(id) || 'without a name')
}

const row = (node: string | null, what: string, instead: string | null): ReportRow => ({
  nodeId: null,
  node,
  input: null,
  severity: 'dropped',
  what,
  instead,
})
