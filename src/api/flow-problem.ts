import { z } from 'zod'
import { jsonObject } from './json.ts'

/** A stored flow by id or slug, or a drawing that is not stored. */
export const checkedFlow = z
  .looseObject({
    flow: z.string().optional(),
    flowData: z.union([z.string(), jsonObject]).optional(),
  })
  .refine(
    ({ flow, flowData }) => (flow === undefined) !== (flowData === undefined),
    'give either flow or flowData',
  )

export const flowProblem = z.object({
  nodeId: z.string().nullable(),
  input: z.string().nullable(),
  line: z.number().int().nullable(),
  code: z.string(),
  message: z.string(),
  requests: z.array(z.enum(['upsert', 'query', 'prediction'])),
})

export type FlowProblemAnswer = z.output<typeof flowProblem>

export const flowProblems = z.object({ problems: z.array(flowProblem) })
