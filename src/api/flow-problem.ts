import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { jsonObject } from './json.ts'
import { checkedFlowReport, reportRows, runsShape } from './flow-report.ts'

/** A stored flow by id or slug, or a drawing that is not stored. */
export const checkedFlow = z
  .looseObject({
    flow: z
      .string()
      .optional()
      .register(docs, doc('The id or the slug of a stored flow; instead of flowData', 'quickstart')),
    flowData: z.union([z.string(), jsonObject]).optional().register(docs, common.graph),
    exported: jsonObject.optional().register(
      docs,
      doc('An export as POST /chatflows/import takes it, which is only checked; instead of flowData', {
        nodes: [],
        edges: [],
      }),
    ),
  })
  .refine(
    ({ flow, flowData, exported }) =>
      [flow, flowData, exported].filter((given) => given !== undefined).length === 1,
    'give one of flow, flowData and exported',
  )

export const flowProblem = z.object({
  nodeId: z
    .string()
    .nullable()
    .register(docs, doc('The node; null for a problem of the whole flow', 'fileLoader_0')),
  input: z
    .string()
    .nullable()
    .register(docs, doc('The name of the input; null for a problem of the whole node', 'metadata')),
  line: z
    .number()
    .int()
    .nullable()
    .register(docs, doc('The line of a JSON text, from 1; null for other values', 2)),
  code: z.string().register(docs, common.errorCode),
  message: z
    .string()
    .register(
      docs,
      doc('What would be refused, in one sentence', 'File Loader: metadata is not JSON: line 2'),
    ),
  severity: z
    .enum(['unsupported', 'needed', 'changed', 'dropped', 'note'])
    .register(
      docs,
      doc('unsupported: this server does not have it; needed: it has to be supplied or set', 'needed'),
    ),
  instead: z
    .string()
    .nullable()
    .register(
      docs,
      doc('What to do or to use instead; null where the message says it', 'Choose the file again'),
    ),
  requests: z
    .array(z.enum(['upsert', 'query', 'prediction']))
    .register(docs, doc('The requests that are refused because of it', ['upsert'])),
})

export type FlowProblemAnswer = z.output<typeof flowProblem>

export const flowProblems = z.object({
  problems: z
    .array(flowProblem)
    .register(docs, doc('What would be refused if the flow were called now, each with its place', [])),
  runs: runsShape,
  rows: reportRows,
  flows: z
    .array(checkedFlowReport)
    .register(docs, doc('The report of each flow: several only for an export with several', [])),
  others: reportRows.meta(doc('Of an export: a line for each thing that is no flow, such as a tool', [])),
})
