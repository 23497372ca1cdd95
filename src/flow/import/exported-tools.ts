import type { CustomToolRow } from '../../contract/custom-tool-store.ts'
import { isObject } from '../../kit/json.ts'
import { toolProblems } from '../../openapi/custom-tool/tool-problems.ts'
import type { ReportRow } from '../check/report-row.ts'
import { written } from '../graph.ts'

/** A custom tool of an export. Flows of the export name it by its id; the file of a tool has none. */
export type ExportedTool = Omit<CustomToolRow, 'id' | 'createdAt' | 'updatedAt'> & { id?: string }

/** Larger texts are no code of a person; see the limits of `POST /tools`. */
const LONGEST = 500_000

/** The tools in the export of a whole instance. A row without a name is passed over. */
export function exportedTools(exported: Record<string, unknown>): ExportedTool[] {
  const rows = exported.Tool
  return Array.isArray(rows) ? rows.filter(isObject).flatMap((row) => exportedTool(row) ?? []) : []
}

/** A tool of an export, or the file of one; undefined for a row without a name and for one that is too large. */
export function exportedTool(row: Record<string, unknown>): ExportedTool | undefined {
  const [name, description] = [written(row.name).trim(), written(row.description)]
  const schema = Array.isArray(row.schema) ? JSON.stringify(row.schema) : textOf(row.schema)
  const func = textOf(row.func)
  if (name === '' || name.length > 200) return undefined
  if ([description, schema, func].some(({ length }) => length > LONGEST)) return undefined
  return {
    ...(typeof row.id === 'string' ? { id: row.id } : {}),
    ...{ name, description, color: textOf(row.color), iconSrc: textOf(row.iconSrc) },
    schema: schema === '' ? '[]' : schema,
    func,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A row for each thing that keeps a tool from running. */
export const toolRows = (tool: Pick<ExportedTool, 'name' | 'schema' | 'func'>): ReportRow[] =>
  toolProblems(tool).map(({ part, message, instead }) => ({
    nodeId: null,
    node: tool.name,
    input: part,
    severity: instead === null ? ('needed' as const) : ('unsupported' as const),
    what: `The custom tool ${tool.name}: ${message}`,
    instead: instead ?? 'Correct it under Tools',
  }))
