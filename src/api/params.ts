import { z } from 'zod'

/** The variable parts of the paths of routes, by name. */

export const idParams = z.object({ id: z.string() })
export const nameParams = z.object({ name: z.string() })

/** The id or the slug of a flow. */
export const flowParams = z.object({ flowId: z.string() })
export const conversationParams = z.object({ flowId: z.string(), chatId: z.string() })
export const documentParams = z.object({ id: z.string(), source: z.string() })
