import { z } from 'zod'
import { CHUNK_FATES } from '../contract/dry-run.ts'
import { common, doc, docs } from './doc.ts'
import { count, jsonValue } from './json.ts'
import { pageOf, pageQuery } from './paging.ts'

/** How many chunks have each fate in a dry run. */
export const fateCounts = {
  added: count.meta(common.added),
  updated: count.meta(common.updated),
  moved: count.meta(common.moved),
  skipped: count.meta(common.skipped),
  deleted: count.meta(common.deleted),
  unchanged: count.meta(common.unchanged),
}

/** The fates of the chunks of a source in a dry run. */
export const fatedSource = z.object({
  source: z.string().register(docs, common.source),
  tokens: count.meta(
    doc('About how many tokens an upsert would embed; none for texts that the store has', 1800),
  ),
  ...fateCounts,
})
export type FatedSourceAnswer = z.output<typeof fatedSource>
export const fatedSourcePage = pageOf(fatedSource)

/** The query of the sources of a dry run; by default they are in the order of the run. */
export const fatedSourceQuery = pageQuery.extend({
  largestFirst: z
    .stringbool()
    .optional()
    .register(
      docs,
      doc('Whether sources with the most chunks come first; else they are as they were read', 'true'),
    ),
})

/** What an upsert would do with a chunk. */
export const fatedChunk = z.object({
  source: z.string().register(docs, doc('The name of the document that has the chunk', 'handbook.pdf')),
  fate: z
    .enum(CHUNK_FATES)
    .register(
      docs,
      doc(
        'What an upsert would do with the chunk: added, updated, moved, skipped, deleted or unchanged',
        'added',
      ),
    ),
  text: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'The beginning of the text of the chunk; null where a large dry run has no room for texts',
        'Four weeks.',
      ),
    ),
  metadata: jsonValue.meta(doc('The metadata of the chunk', { source: 'handbook.pdf' })),
  tokens: count.meta(common.tokens),
})
export type FatedChunkAnswer = z.output<typeof fatedChunk>
export const fatedChunkPage = pageOf(fatedChunk)
export const fatedChunkQuery = pageQuery.extend({
  source: z.string().optional().register(docs, doc('Only chunks of this document', 'handbook.pdf')),
  fate: z
    .enum(CHUNK_FATES)
    .optional()
    .register(
      docs,
      doc('Only chunks with this fate: added, updated, moved, skipped, deleted or unchanged', 'added'),
    ),
})
