/**
 * The chunks of one conversation of a flow, or of all its conversations. The chat id is the permission to read the
 * chunks, so it is not shown to other callers. With `fence`: only those that were loaded within that fence (`fence.ts`).
 */
export type Conversation = { flowId: string; chatId?: string | undefined; fence?: string | undefined }

/** Sources that are apart from all others: those of a conversation, or those that were loaded within a fence, by its id. */
export type SourceScope = Conversation | { fence: string; flowId?: undefined; chatId?: undefined }

/** Source names `>= from` and `< before`, in the order of code points. */
export type SourceRange = { from: string; before: string }
