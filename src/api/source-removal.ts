import { z } from 'zod'
import { common, doc, docs, EXAMPLE_MOMENT } from './doc.ts'
import { chatId, jsonObject } from './json.ts'
import { pin } from './pin.ts'

export const chunkRemovalQuery = z.looseObject({
  source: z.string().optional().register(docs, doc('The name of the document to remove', 'handbook.pdf')),
  /** JSON. */
  filter: z.string().optional().register(docs, common.filterText),
  permanent: z
    .stringbool()
    .optional()
    .register(docs, doc('true: what is removed cannot be restored, and is deleted at once', 'false')),
  stopNodeId: z.string().optional().register(docs, common.storeNode),
  pin,
  chatId: chatId.optional().register(docs, doc('The conversation whose files are meant', 'chat-1')),
})

export const chunkRemovalBody = z.looseObject({
  source: z.string().nullish().register(docs, doc('The name of the document to remove', 'handbook.pdf')),
  /** Several at once, removed in one transaction. */
  sources: z
    .array(z.string())
    .max(10_000)
    .nullish()
    .register(
      docs,
      doc('The names of several documents, removed in one transaction; at most 10,000', ['handbook.pdf']),
    ),
  filter: jsonObject.nullish().register(docs, common.filter),
  permanent: z
    .boolean()
    .nullish()
    .register(docs, doc('true: what is removed cannot be restored, and is deleted at once', false)),
  stopNodeId: z.string().nullish().register(docs, common.storeNode),
  chatId: chatId
    .nullish()
    .register(docs, doc('The conversation whose files are meant, at most 255 characters', 'chat-1')),
})

export const chunkRemoval = z.object({
  numDeleted: z.number().register(docs, common.deleted),
  restorableUntil: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'Until when what was removed can be restored, ISO 8601 in UTC; null if it cannot: with a filter, a chatId or permanent',
        EXAMPLE_MOMENT,
      ),
    ),
})
export type ChunkRemovalAnswer = z.output<typeof chunkRemoval>

export const sourceRestoreBody = z.object({
  sources: z
    .array(z.string())
    .min(1)
    .max(10_000)
    .register(docs, doc('The names of removed documents, at most 10,000', ['handbook.pdf'])),
  stopNodeId: z.string().nullish().register(docs, common.storeNode),
})
export const sourceRestoreQuery = z.object({ pin })
export const sourceRestore = z.object({
  sources: z.array(z.string()).register(docs, doc('The names of the restored documents', ['handbook.pdf'])),
  numRestored: z.number().register(docs, doc('The number of restored chunks', 12)),
})
export type SourceRestoreAnswer = z.output<typeof sourceRestore>
