import { z } from 'zod'
import { common, doc, docs } from './doc.ts'

/**
 * A flow that uses a row, such as a credential, with the nodes that do.
 *
 * @param id and `label`: of the node in the examples. @param more what else is told of a node
 */
export const flowUseShape = <More extends z.ZodRawShape = Record<never, never>>(
  id: string,
  label: string,
  more: More = {} as More,
) =>
  z.object({
    id: z.string().register(docs, common.flowId),
    slug: z.string().register(docs, common.slug),
    name: z.string().register(docs, common.flowName),
    nodes: z
      .array(
        z.object({
          nodeId: z.string().register(docs, doc('The id of the node in the drawing', id)),
          label: z.string().register(docs, doc('The label of the node in the drawing', label)),
          ...more,
        }),
      )
      .register(docs, doc('The nodes of the flow that use it', [])),
  })
