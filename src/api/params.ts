import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'

/** The variable parts of the paths of routes, by name. */

export const idParams = z.object({
  id: z.string().register(docs, doc('The id, a UUID; for a flow also its slug', EXAMPLE_ID)),
})
export const nameParams = z.object({
  name: z.string().register(docs, doc('The name of the node type', 'builtInVectorStore')),
})

/** The id or the slug of a flow. */
export const flowParams = z.object({
  flowId: z.string().register(docs, doc('The id (UUID) or the slug of the flow', 'quickstart')),
})
export const conversationParams = z.object({
  flowId: z.string().register(docs, doc('The id (UUID) or the slug of the flow', 'quickstart')),
  chatId: z.string().register(docs, common.chatId),
})
export const documentParams = z.object({
  id: z.string().register(docs, doc('The id (UUID) or the slug of the flow', EXAMPLE_ID)),
  source: z.string().register(docs, common.source),
})
