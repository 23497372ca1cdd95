import { checkedFlow, flowProblems } from '../../api/flow-problem.ts'
import { checkDrawing } from '../check-flow.ts'
import { MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'
import type { FlowCheck } from '../../flow/check/check-flow.ts'
import { type ReportRow, runsWith } from '../../flow/check/report-row.ts'
import { isTool } from '../../flow/import/export-file.ts'
import { exportedTool, toolRows } from '../../flow/import/exported-tools.ts'

/** What keeps a flow, or a drawing that is not stored yet, from running. */
export function flowProblemRoutes(platform: Platform): Route[] {
  return [
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/flows/validate',
      summary:
        'All problems of a flow, a drawing or an export, each at its node, input and line, with the requests that it refuses, and a report; nothing is run or stored',
      body: checkedFlow,
      bodyMegabytes: 50,
      answer: { description: 'The problems; none for a flow that can run', shape: flowProblems },
      async handle({ body }) {
        if (body.exported !== undefined) return checkExport(platform, body.exported)
        const flow = body.flow === undefined ? undefined : await findFlow(platform.flows, body.flow)
        const drawn = { flowData: flow?.flowData ?? body.flowData, flowId: flow?.id ?? 'draft' }
        return checked([{ name: flow?.name ?? null, ...(await checkDrawing(platform, drawn)) }], [])
      },
    }),
  ]
}

type NamedCheck = FlowCheck & { name: string | null }

/** Checks an export, or the file of a custom tool, as if it were imported. @throws SluiceError `flow_invalid` where there is no flow in it */
async function checkExport(platform: Platform, exported: Record<string, unknown>) {
  const tool = isTool(exported) ? exportedTool(exported) : undefined
  if (tool) {
    const rows = [...toolRows(tool), FILE_OF_TOOL]
    return checked([{ name: tool.name, runs: runsWith(rows), nodes: 0, problems: [], rows }], [])
  }
  // What translates exports is loaded with the first one.
  const { readExport } = await import('../import-flows.ts')
  const { flows, others, against } = await readExport(platform, exported)
  const reports: NamedCheck[] = []
  for (const { name, id, flowData, rows } of flows) {
    const drawn = { flowData, flowId: id ?? 'draft' }
    reports.push({ name: name ?? null, ...(await checkDrawing(platform, drawn, rows, against)) })
  }
  return checked(reports, others)
}

const FILE_OF_TOOL: ReportRow = {
  nodeId: null,
  node: null,
  input: null,
  severity: 'note',
  what: 'It is a custom tool, not a flow',
  instead: 'Import it on the page Tools, with sluice tool import, or send it to POST /api/v1/tools',
}

/** The answer: problems and report of the first flow, and the report of each. */
const checked = (reports: readonly NamedCheck[], others: readonly ReportRow[]) => ({
  problems: reports[0]!.problems,
  runs: reports[0]!.runs,
  rows: reports[0]!.rows,
  flows: reports.map(({ name, nodes, runs, rows }) => ({ name, nodes, runs, rows })),
  others: [...others],
})
