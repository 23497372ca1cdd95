import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { lastUpsertShape } from './flow-summary.ts'
import { count, jsonObject, moment, warning } from './json.ts'
import { document } from './prediction.ts'
import { upsertShape } from './upsert.ts'

/** The states of the dialect: of a store, and of a loader. */
export const STORE_STATES = ['EMPTY', 'NEW', 'SYNC', 'SYNCING', 'STALE', 'UPSERTING', 'UPSERTED'] as const

/** What fields of several shapes mean. */
export const storeMeaning = {
  storeId: doc('The id of the document store: that of its flow, a UUID', EXAMPLE_ID),
  storeName: doc('The name of the document store', 'Handbook'),
  description: doc('What the store contains', 'The handbook of the company'),
  docId: doc('The id of a loader, which is the metadata docId of its chunks', EXAMPLE_ID),
  config: doc('Values for the inputs of the node, by their names', { chunkSize: 1000 }),
  file: doc('How many characters the texts of its documents have', 3600),
}

const text = () => z.string().nullish()
const config = () => jsonObject.nullish()

/** A node and its inputs, as the dialect names one. */
const partConfig = z.object({
  name: z.string().register(docs, common.nodeType),
  config: jsonObject.meta(storeMeaning.config),
})

const loaderFile = z.object({
  name: z.string().register(docs, common.source),
  size: count.nullable().meta(doc('The size of the file in bytes; null where it is not known', 2048)),
  kept: z.boolean().register(docs, doc('Whether the file is kept, so that it can be loaded again')),
})

export const storeLoader = z.object({
  id: z.string().register(docs, storeMeaning.docId),
  loaderId: z.string().register(docs, common.nodeType),
  loaderName: z.string().register(docs, doc('The name of the loader for people', 'PDF File')),
  loaderConfig: jsonObject.meta(storeMeaning.config),
  splitterId: z
    .string()
    .nullable()
    .register(
      docs,
      doc('The name of the node type of its text splitter; null for none', 'sluiceTextSplitter'),
    ),
  splitterName: z.string().nullable().register(docs, doc('The label of the text splitter', 'Text Splitter')),
  splitterConfig: jsonObject.meta(storeMeaning.config),
  totalChunks: count.meta(doc('The number of its chunks', 12)),
  totalChars: count.meta(storeMeaning.file),
  documents: count.meta(doc('The number of its documents', 1)),
  status: z
    .enum(STORE_STATES)
    .register(
      docs,
      doc(
        'NEW: nothing is loaded yet. SYNCING: a job works on the store. SYNC: loaded as the loader is set. STALE: set otherwise since',
        'SYNC',
      ),
    ),
  source: z.string().register(docs, doc('Where its documents come from, in a few words', 'handbook.pdf')),
  files: z
    .array(loaderFile)
    .register(docs, doc('Its first 100 documents', [{ name: 'handbook.pdf', size: 2048, kept: true }])),
})

export const documentStore = z.object({
  id: z.string().register(docs, storeMeaning.storeId),
  slug: z.string().register(docs, common.slug),
  name: z.string().register(docs, storeMeaning.storeName),
  description: z.string().register(docs, storeMeaning.description),
  status: z
    .enum(STORE_STATES)
    .register(
      docs,
      doc(
        'EMPTY: no loader. UPSERTING: a job works on it. STALE: a loader is not loaded as it is set, or another embedder is set. UPSERTED: all is loaded',
        'UPSERTED',
      ),
    ),
  revision: z.number().int().register(docs, common.revision),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
  loaders: z.array(storeLoader).register(docs, doc('The loaders of the store', [])),
  whereUsed: z
    .array(
      z.object({
        id: z.string().register(docs, common.flowId),
        name: z.string().register(docs, common.flowName),
      }),
    )
    .register(docs, doc('The flows that name this store', [])),
  embeddingConfig: partConfig.nullable().register(docs, doc('The embeddings', null)),
  vectorStoreConfig: partConfig.nullable().register(docs, doc('The vector store', null)),
  recordManagerConfig: partConfig.nullable().register(docs, doc('The record manager; null for none', null)),
  totalChunks: count.meta(doc('The number of chunks of all loaders', 12)),
  totalChars: count.meta(storeMeaning.file),
  setAside: count.meta(
    doc('How many edits of chunks are kept aside, since the documents no longer have these chunks', 0),
  ),
  problem: z
    .string()
    .nullable()
    .register(docs, doc('Why the store cannot be used, as a sentence; null where it can', null)),
  lastUpsert: lastUpsertShape
    .nullable()
    .register(docs, doc('The last upsert of the store; null before the first', null)),
})
export type DocumentStoreAnswer = z.output<typeof documentStore>
export type StoreLoaderAnswer = z.output<typeof storeLoader>

export const documentStoreList = z.array(documentStore)

export const newDocumentStore = z.looseObject({
  name: z.string().trim().min(1).max(255).register(docs, storeMeaning.storeName),
  description: text().register(docs, storeMeaning.description),
})

export const documentStorePatch = z.looseObject({
  name: z.string().trim().min(1).max(255).nullish().register(docs, storeMeaning.storeName),
  description: text().register(docs, storeMeaning.description),
})

export const storeDeletion = z.object({
  deleted: count.meta(doc('How many stores were deleted: 1', 1)),
})

const loaderFields = {
  loaderId: text().register(docs, common.nodeType),
  loaderName: text().register(docs, doc('The name of the loader for people', 'PDF File')),
  loaderConfig: config().register(docs, storeMeaning.config),
  splitterId: text().register(
    docs,
    doc('The name of the node type of the text splitter', 'sluiceTextSplitter'),
  ),
  splitterName: text().register(docs, doc('The label of the text splitter; has no effect', 'Text Splitter')),
  splitterConfig: config().register(docs, storeMeaning.config),
  credential: text().register(docs, doc('The id of a credential of the loader', EXAMPLE_ID)),
}

export const loaderPreviewBody = z.looseObject({
  storeId: text().register(docs, storeMeaning.storeId),
  id: text().register(docs, storeMeaning.docId),
  ...loaderFields,
  previewChunkCount: z
    .number()
    .int()
    .min(-1)
    .nullish()
    .register(docs, doc('How many chunks the answer has, at most 1,000; -1 for as many as there may be', 20)),
})

export const loaderPreview = z.object({
  chunks: z.array(document).register(docs, doc('The first chunks', [])),
  totalChunks: count.meta(doc('How many chunks there would be', 12)),
  previewChunkCount: count.meta(doc('How many of them the answer has', 12)),
  warnings: z.array(warning).register(docs, common.warnings),
})

export const loaderBody = z.looseObject({
  storeId: z.string().register(docs, storeMeaning.storeId),
  id: text().register(docs, doc('The loader to change; absent for a new one', EXAMPLE_ID)),
  ...loaderFields,
})

export const loaderParams = z.object({
  id: z.string().register(docs, storeMeaning.storeId),
  loaderId: z.string().register(docs, storeMeaning.docId),
})

export const processParams = z.object({ loaderId: z.string().register(docs, storeMeaning.docId) })
export const processBody = z.looseObject({ storeId: z.string().register(docs, storeMeaning.storeId) })

/** A part of a store in a request: absent fields stay as they are. */
const wantedPart = z.looseObject({
  name: text().register(docs, common.nodeType),
  config: config().register(docs, storeMeaning.config),
})

const wantedParts = {
  splitter: wantedPart.nullish().register(docs, doc('The text splitter', { name: 'sluiceTextSplitter' })),
  embedding: wantedPart.nullish().register(docs, doc('The embeddings', { name: 'builtInEmbeddings' })),
  vectorStore: wantedPart.nullish().register(docs, doc('The vector store', { name: 'builtInVectorStore' })),
  recordManager: wantedPart
    .nullish()
    .register(docs, doc('The record manager', { name: 'SQLiteRecordManager' })),
}

const flag = () => z.union([z.boolean(), z.stringbool()]).nullish()

export const storeUpsertBody = z.looseObject({
  docId: text().register(docs, doc('An existing loader, whose settings are used', EXAMPLE_ID)),
  metadata: config().register(docs, doc('Metadata that every chunk of the loader gets', { year: 2026 })),
  replaceExisting: flag().register(
    docs,
    doc('Whether the loader docId loads, and its earlier documents go; otherwise a new loader does', true),
  ),
  createNewDocStore: flag().register(docs, doc('Whether a new store is made, with the loader and its parts')),
  docStore: z
    .looseObject({
      name: text().register(docs, storeMeaning.storeName),
      description: text().register(docs, storeMeaning.description),
    })
    .nullish()
    .register(docs, doc('Name and description of the new store', { name: 'Handbook 2026' })),
  loaderName: text().register(docs, doc('The name of the loader for people', 'Handbook')),
  loader: wantedPart.nullish().register(docs, doc('The loader', { name: 'pdfFile', config: {} })),
  ...wantedParts,
})

export const storeUpsert = upsertShape.extend({
  docId: z.string().register(docs, doc('The loader that has loaded the documents', EXAMPLE_ID)),
  storeId: z.string().register(docs, storeMeaning.storeId),
})

export const acceptedStoreJob = z.object({
  jobId: z.string().register(docs, common.jobId),
  state: z.literal('queued').register(docs, doc('Always queued')),
  docId: z.string().register(docs, storeMeaning.docId),
  storeId: z.string().register(docs, storeMeaning.storeId),
})

export const storeRefreshBody = z.looseObject({
  items: z
    .array(
      z.looseObject({
        docId: z.string().register(docs, storeMeaning.docId),
        loader: wantedPart.nullish().register(docs, doc('Other settings of the loader', { config: {} })),
        metadata: config().register(
          docs,
          doc('Metadata that every chunk of the loader gets', { year: 2026 }),
        ),
        ...wantedParts,
      }),
    )
    .max(1000)
    .nullish()
    .register(docs, doc('The loaders that load again, and what is set otherwise; absent for all', [])),
})

const failedRefresh = z.object({
  docId: z.string().register(docs, storeMeaning.docId),
  storeId: z.string().register(docs, storeMeaning.storeId),
  error: z
    .object({
      code: z.string().register(docs, common.errorCode),
      message: z.string().register(docs, doc('Why it failed', 'The server did not answer in time')),
    })
    .register(docs, doc('Why the loader could not load', { code: 'flow_invalid', message: '…' })),
})

export const storeRefresh = z.array(z.union([storeUpsert, failedRefresh]))
export const acceptedRefresh = z.array(acceptedStoreJob)

export const storeQueryBody = z.looseObject({
  storeId: z.string().register(docs, storeMeaning.storeId),
  query: z.string().min(1).max(100_000).register(docs, doc('The question', 'How long is the notice period?')),
  inputs: config().register(docs, doc('Other search settings of the store, such as topK', { topK: 4 })),
})

export const storeQuery = z.object({
  timeTaken: z.number().register(docs, common.timeTaken),
  docs: z
    .array(
      z.object({
        id: z.string().register(docs, doc('The id of the chunk', EXAMPLE_ID)),
        pageContent: z.string().register(docs, common.chunkText),
        metadata: jsonObject.meta(common.chunkMetadata),
        chunkNo: z
          .number()
          .int()
          .register(
            docs,
            doc('The number of the chunk in its document, from 1; -1 where it is not known', 1),
          ),
        score: z.number().register(docs, common.score),
        confidence: z.number().nullable().register(docs, common.confidence),
      }),
    )
    .register(docs, doc('The matching chunks, best first', [])),
  warnings: z.array(warning).optional().register(docs, common.warnings),
})

/** What sets the parts of a store. A part that is absent stays, and a record manager without a name goes where it is null. */
export const storePartsBody = z.looseObject({
  storeId: z.string().register(docs, storeMeaning.storeId),
  embeddingName: text().register(docs, doc('The node type of the embeddings', 'builtInEmbeddings')),
  embeddingConfig: config().register(docs, storeMeaning.config),
  vectorStoreName: text().register(docs, doc('The node type of the vector store', 'builtInVectorStore')),
  vectorStoreConfig: config().register(docs, storeMeaning.config),
  recordManagerName: text().register(docs, doc('The node type of the record manager', 'SQLiteRecordManager')),
  recordManagerConfig: config().register(docs, storeMeaning.config),
})

export const storeInsert = documentStore.extend({
  numAdded: count.meta(doc('New chunks of all loaders', 12)),
  numUpdated: count.meta(doc('Chunks that replaced a changed one', 0)),
  numSkipped: count.meta(doc('Chunks that were stored before', 0)),
  numDeleted: count.meta(common.deleted),
  warnings: z.array(warning).register(docs, common.warnings),
})

export const emptyStoreParams = z.object({ id: z.string().register(docs, storeMeaning.storeId) })
export const emptyStoreQuery = z.object({
  docId: z.string().optional().register(docs, doc('Only what this loader has loaded', EXAMPLE_ID)),
})
export const emptiedStore = z.object({
  numDeleted: count.meta(doc('How many chunks were removed; their documents can be restored', 12)),
})
