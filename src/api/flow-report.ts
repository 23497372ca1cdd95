import { z } from 'zod'
import { common, doc, docs } from './doc.ts'

/** A line of the report on a flow: in imports, checks and the studio alike. */
export const reportRow = z.object({
  nodeId: z.string().nullable().register(docs, doc('The node; null for the whole flow or export', 'gmail_0')),
  node: z
    .string()
    .nullable()
    .register(
      docs,
      doc('The label of the node, or the name of the thing of the export; null for the whole flow', 'Gmail'),
    ),
  input: z
    .string()
    .nullable()
    .register(docs, doc('The name of the input; null for the whole node', 'agentTools[0].agentSelectedTool')),
  severity: z
    .enum(['unsupported', 'needed', 'changed', 'dropped', 'note'])
    .register(
      docs,
      doc(
        'unsupported: this server does not have it; needed: the flow runs once it is supplied or set; changed: it runs in another way; dropped: it has no effect here; note: worth knowing',
        'unsupported',
      ),
    ),
  what: z
    .string()
    .register(
      docs,
      doc('What it is, as a sentence', 'The flow uses the node gmail, which this server does not have'),
    ),
  instead: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'What to do or to use instead; null where the sentence says it',
        'Use openAPIToolkit, requestsGet or customMCP for the same service',
      ),
    ),
})
export type ReportRowAnswer = z.output<typeof reportRow>

export const runsShape = z
  .enum(['yes', 'after', 'no'])
  .register(
    docs,
    doc('Whether the flow runs: yes; after what the rows with needed say; no, not on this server', 'after'),
  )

export const reportRows = z
  .array(reportRow)
  .register(docs, doc('The lines of the report, the gravest first', []))

/** A checked flow, of an export or of this server. */
export const checkedFlowReport = z.object({
  name: z
    .string()
    .nullable()
    .register(docs, doc('The name of the flow; null where the file has none', 'Handbook')),
  nodes: z.number().int().register(docs, common.nodeCount),
  runs: runsShape,
  rows: reportRows,
})
export type CheckedFlowAnswer = z.output<typeof checkedFlowReport>
