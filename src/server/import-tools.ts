import type { CustomToolRow } from '../contract/custom-tool-store.ts'
import type { ReportRow } from '../flow/check/report-row.ts'
import { type ExportedTool, toolRows } from '../flow/import/exported-tools.ts'
import { randomId } from '../kit/hash.ts'
import type { Platform } from './platform.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The custom tools of an export that are to be stored, with their ids, by which flows of the export name them, and a row for each tool:
 * it comes with the flows, or a tool of its id is here and stays as it is.
 */
export async function toolsOfExport(
  { customTools }: Pick<Platform, 'customTools'>,
  exported: readonly ExportedTool[],
): Promise<{ tools: CustomToolRow[]; rows: ReportRow[] }> {
  const tools = new Map<string, CustomToolRow>()
  const rows: ReportRow[] = []
  for (const { id, ...tool } of exported) {
    const about = { nodeId: null, node: tool.name, input: null }
    const kept = id !== undefined && UUID.test(id) ? id : randomId()
    if (tools.has(kept)) continue
    const here = await customTools.find(kept)
    if (here) {
      rows.push({
        ...about,
        severity: 'changed',
        what: `There is a custom tool with the id of ${tool.name} here already, ${here.name}: it stays as it is`,
        instead: 'Change it under Tools, if that of the export is the right one',
      })
      continue
    }
    const now = Date.now()
    tools.set(kept, { id: kept, ...tool, createdAt: now, updatedAt: now })
    rows.push(
      {
        ...about,
        severity: 'note',
        what: `The custom tool ${tool.name} comes with the flows`,
        instead: null,
      },
      // The tool is stored with its problems; a flow that uses it is refused for them.
      ...toolRows(tool).map((row): ReportRow => ({ ...row, severity: 'changed' })),
    )
  }
  return { tools: [...tools.values()], rows }
}
