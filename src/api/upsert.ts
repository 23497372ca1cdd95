import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { droppedCount } from './dropped.ts'
import { fateCounts } from './fate.ts'
import { chatId, count, jsonObject, warning } from './json.ts'
import { document } from './prediction.ts'
import { settingChange } from './setting-change.ts'

export const upsertBody = z.looseObject({
  overrideConfig: jsonObject.nullish().register(docs, common.overrides),
  stopNodeId: z.string().nullish().register(docs, common.storeNode),
  chatId: chatId
    .nullish()
    .register(
      docs,
      doc(
        'The id of a conversation, at most 255 characters: the files belong to it, and only its questions find them',
        'chat-1',
      ),
    ),
})

/** A dry run; `flowData` is a drawing that is used instead of the stored one. A form has these as fields. */
export const dryRunBody = upsertBody.extend({
  flowData: z.union([z.string(), jsonObject]).nullish().register(docs, common.graph),
  draft: z
    .boolean()
    .nullish()
    .register(docs, doc('Whether the draft of the flow is used; for managers', true)),
  refresh: z
    .boolean()
    .nullish()
    .register(
      docs,
      doc(
        'Whether the documents that were loaded with other settings are read again, from kept files and by their loaders, instead of files of the request',
        true,
      ),
    ),
})

/** The result of an upsert for one file. */
const fileOutcome = z.object({
  name: z
    .string()
    .register(docs, doc('The file name as it was sent, which is the source of its chunks', 'handbook.pdf')),
  status: z
    .enum(['indexed', 'unchanged', 'empty', 'failed'])
    .register(docs, doc('The outcome for the file', 'indexed')),
  chunks: count.meta(doc('The number of chunks of the file', 12)),
  added: count.meta(common.added),
  updated: count.meta(common.updated),
  skipped: count.meta(common.skipped),
  deleted: count.meta(common.deleted),
  outdated: count.optional().register(docs, common.outdated),
  dropped: z.array(droppedCount).optional().register(docs, common.dropped),
  code: z.string().optional().register(docs, common.errorCode),
  message: z
    .string()
    .optional()
    .register(docs, doc('Why the file could not be loaded', 'handbook.pdf is protected by a password')),
})

export const upsertShape = z.object({
  numAdded: count.meta(doc('New chunks of all files', 12)),
  numUpdated: count.meta(doc('Chunks of all files that replaced a changed one', 0)),
  numSkipped: count.meta(doc('Chunks of all files that were stored before', 0)),
  numDeleted: count.meta(common.deleted),
  totalKeys: count.meta(doc('All chunks of this upsert, with any outcome', 12)),
  numOutdated: count
    .optional()
    .register(
      docs,
      doc(
        'Chunks of earlier versions of the loaded documents that stay: with the cleanup none, or without a record manager. Absent in results of earlier releases',
        0,
      ),
    ),
  numFailed: count.meta(doc('Files that could not be loaded', 0)),
  numEmpty: count.meta(doc('Files without text', 0)),
  files: z
    .array(fileOutcome)
    .register(
      docs,
      doc('A row for each file, web page or table that was read', [
        { name: 'handbook.pdf', status: 'indexed', chunks: 12 },
      ]),
    ),
  warnings: z.array(warning).register(docs, common.warnings),
  addedDocs: z
    .array(document)
    .register(
      docs,
      doc('The first 20 of the new chunks', [
        { pageContent: 'The notice period is four weeks.', metadata: { source: 'handbook.pdf' } },
      ]),
    ),
  sourceDocuments: z
    .array(document)
    .optional()
    .register(docs, doc('With returnSourceDocuments: all chunks of the upsert, at most 1,000', [])),
  sourceDocumentsTruncated: z
    .boolean()
    .optional()
    .register(docs, doc('Whether there were more than the 1,000 chunks that are listed', false)),
  dryRun: z.boolean().optional().register(docs, doc('Whether nothing was written')),
  filesNeeded: z
    .object({
      count: count.meta(doc('How many files', 1)),
      names: z.array(z.string()).register(docs, doc('The names of the first 20', ['handbook.pdf'])),
    })
    .optional()
    .register(
      docs,
      doc(
        'Documents that were loaded with other settings and whose files are not kept: their number, and the names of the first 20; send these files again',
        { count: 1, names: ['handbook.pdf'] },
      ),
    ),
  estimate: z
    .object({
      texts: count.meta(doc('The number of texts without a vector', 12)),
      tokens: count.meta(doc('About how many tokens they have', 1800)),
      price: z
        .object({
          amount: z.number().register(docs, doc('The amount, not rounded', 0.000036)),
          currency: z.string().register(docs, doc('The currency, as EMBEDDING_PRICES names it', 'USD')),
        })
        .nullish()
        .register(
          docs,
          doc('What these tokens cost; null where EMBEDDING_PRICES has no price of the model', {
            amount: 0.000036,
            currency: 'USD',
          }),
        ),
    })
    .optional()
    .register(docs, doc('What an upsert would embed', { texts: 12, tokens: 1800, price: null })),
  fates: z
    .object(fateCounts)
    .optional()
    .register(
      docs,
      doc('Of a dry run: how many chunks have which fate', {
        ...{ added: 3, updated: 0, moved: 2, skipped: 7, deleted: 1, unchanged: 0 },
      }),
    ),
  changes: z
    .array(settingChange)
    .optional()
    .register(
      docs,
      doc(
        'Of a dry run of another drawing than the live one: what it does otherwise. input is null where the node itself is another; from and to are … for long values and addresses',
        [{ nodeId: 'sluiceTextSplitter_0', input: 'chunkSize', label: 'Chunk Size', from: 1000, to: 600 }],
      ),
    ),
  jobId: z.string().optional().register(docs, common.jobId),
  timeTaken: z.number().register(docs, common.timeTaken),
})

/** The fields that a client can rely on with any server: Flowise answers only the counters. */
export const upsertCounters = upsertShape.partial().required({ numAdded: true })
export type UpsertAnswer = z.output<typeof upsertCounters>
export type FileAnswer = z.output<typeof fileOutcome>

export const reindexBody = z.looseObject({
  overrideConfig: jsonObject.nullish().register(
    docs,
    doc('Values for inputs of the nodes that the flow opens to requests, and options of the request', {
      chunkSize: 500,
    }),
  ),
  stopNodeId: z.string().nullish().register(docs, common.storeNode),
})

export const reindexShape = z.object({
  numChunks: count.meta(doc('Chunks with new vectors', 12)),
  numEmbedded: count.meta(doc('Distinct texts that were embedded', 12)),
  embedder: z.string().register(docs, doc('The embedding model', 'sluice-static-256-v1')),
  dimensions: count.nullable().register(docs, doc('The number of dimensions of a vector', 256)),
  warnings: z.array(warning).register(docs, common.warnings),
  jobId: z.string().register(docs, common.jobId),
  timeTaken: z.number().register(docs, common.timeTaken),
})
export type ReindexAnswer = z.output<typeof reindexShape>
