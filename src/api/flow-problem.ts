import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { jsonObject } from './json.ts'

/** A stored flow by id or slug, or a drawing that is not stored. */
export const checkedFlow = z
  .looseObject({
    flow: z
      .string()
      .optional()
      .register(docs, doc('The id or the slug of a stored flow; instead of flowData', 'quickstart')),
    flowData: z.union([z.string(), jsonObject]).optional().register(docs, common.graph),
  })
  .refine(
    ({ flow, flowData }) => (flow === undefined) !== (flowData === undefined),
    'give either flow or flowData',
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
  requests: z
    .array(z.enum(['upsert', 'query', 'prediction']))
    .register(docs, doc('The requests that are refused because of it', ['upsert'])),
})

export type FlowProblemAnswer = z.output<typeof flowProblem>

export const flowProblems = z.object({
  problems: z
    .array(flowProblem)
    .register(docs, doc('What would be refused if the flow were called now, each with its place', [])),
})
