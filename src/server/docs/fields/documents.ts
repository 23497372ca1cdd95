import { EXAMPLE_ID, EXAMPLE_MOMENT, type FieldDocs } from './field-doc.ts'

/** Documents, their chunks, upserts and reindexing. */
export const documentFields: FieldDocs = {
  files: ['The counts of the files of the job', { total: 12, done: 3, failed: 0, empty: 0 }],
  'answer.files': [
    'A row for each file, web page or table that was read; of a job, the counts of its files',
    [{ name: 'handbook.pdf', status: 'indexed', chunks: 12 }],
  ],
  'files.name': ['The file name as it was sent, which is the source of its chunks', 'handbook.pdf'],
  'files.status': ['The outcome for the file', 'indexed'],
  'files.message': ['Why the file could not be loaded', 'handbook.pdf is protected by a password'],
  source: ['The name of the document', 'handbook.pdf'],
  sources: ['The names of several documents', ['handbook.pdf']],
  updatedAt: ['When the document last changed, ISO 8601 in UTC', EXAMPLE_MOMENT],
  pageContent: ['The text of the chunk', 'The notice period is four weeks.'],
  metadata: [
    'Metadata of the chunk: source, page, lines and the fields that the loader or the request added',
    { source: 'handbook.pdf', loc: { pageNumber: 3 } },
  ],
  filter: [
    'Selects chunks by metadata: {field: value} or {field: {operator: value}}. Operators: $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists, $contains. $and, $or and $not combine filters. A dot in a name selects a nested field. A name that is nearly filter is refused with 400',
    { source: 'handbook.pdf' },
  ],
  'query.filter': [
    'The filter as JSON: {"field": "value"}, with the operators of the filter in a body. A name that is nearly filter is refused with 400',
    '{"source": "handbook.pdf"}',
  ],
  chunks: ['The number of chunks', 12],
  'answer.chunks': ['The number of chunks of the job at each stage', { seen: 12, embedded: 12, written: 12 }],
  'data.chunks': ['The number of chunks of the document; of a job, the number at each stage', 12],

  range: [
    'Where the words of the chunk are in the extracted text of its document, in UTF-16 code units: from start to before end. null where it is not known: with a sourceIdKey of the record manager',
    { start: 0, end: 32 },
  ],
  'range.start': ['The position of the first code unit', 0],
  'range.end': ['The position after the last code unit', 32],
  pageNumber: ['The page of the chunk, from 1; null for formats without pages', 3],
  'data.tokens': [
    'An estimate of the tokens of the text: for English prose 5 to 15 % above what providers count',
    8,
  ],
  search: [
    'Only documents with this in their names, chunks or conversations with this in their texts, or runs with this in their questions; each letter in either case',
    'notice',
  ],
  sort: ['The order: by name, updated (time of the last change), chunks or size', 'name'],
  removed: ['true: lists removed documents that can be restored, instead of those that queries find', false],
  permanent: ['true: what is removed cannot be restored, and is deleted at once', false],
  restorableUntil: [
    'Until when what was removed can be restored, ISO 8601 in UTC; null if it cannot: with a filter, a chatId or permanent',
    EXAMPLE_MOMENT,
  ],
  numRestored: ['The number of restored chunks', 12],
  bytes: ['The size of the file in bytes; null if the document is not a file', 18_240],
  characters: ['The length of the extracted text in UTF-16 code units; null if it is not known', 12_400],
  'query.start': ['The position of the first code unit of the part', 0],
  'answer.start': ['The position of the first code unit of the part', 0],
  'query.length': ['How many UTF-16 code units to answer, at most 1,000,000', 65_536],
  'query.version': [
    'The version of the document: newest, or an earlier one as in earlier. Without it the text is that of the newest, the chunks are those of all versions',
    EXAMPLE_MOMENT,
  ],
  'earlier.version': [
    'The name of the version: until when it was the newest, ISO 8601 in UTC',
    EXAMPLE_MOMENT,
  ],
  earlier: [
    'The earlier versions of which chunks are left, the newest first: text and chunks that a later upsert did not remove',
    [],
  ],
  dropped: [
    'What was left out of the text of a document, in rows; of a file and in a list how much of each kind. null where it is not known: of earlier versions, and of documents that an earlier release loaded. Of a file absent where there is none',
    [{ kind: 'hiddenSheet', count: 1, text: '1 hidden sheet' }],
  ],
  'dropped.text': ['The same as a person reads it', 'sheet Budget is hidden'],
  'dropped.kind': [
    'What was left out: repeatedLine (a header, a footer, a repeated header of a table), pageNumber, hiddenSheet, hiddenElement, deletedText (by a tracked change), unreadablePage, damagedPart, skippedLine, skippedValue, repeatedKey, undecodedCharacter, cutText, cutMetadata (cells that only the text has), picture, attachment',
    'hiddenSheet',
  ],
  'dropped.count': ['How many: lines, pages, sheets, characters of cut text, pictures, files', 1],
  'dropped.place': [
    'Where in the file it was: page and lastPage (from 1; a slide counts as a page), sheet, part; null where it is of all of the file',
    { sheet: 'Budget' },
  ],
  'place.page': ['The first page, from 1', 1],
  'place.lastPage': ['The last page; absent for one page', 12],
  'place.sheet': ['The name of the sheet', 'Budget'],
  'place.part': ['The name of a part of the file: header, footer, an attachment', 'header'],
  'dropped.position': [
    'Where it would be in the extracted text: the range of its pages or its sheet; null where that is not known',
    { start: 0, end: 1840 },
  ],
  'dropped.more': [
    'Whether the row is the sum of all others of its kind: a document has at most 100 places and one such row of each kind',
    false,
  ],
  'query.at': [
    'A position in the text of the source: the answer is the page with the first chunk that ends behind it, or the last page',
    1840,
  ],
  outdatedAt: [
    'Since when the document has a newer version without this chunk, ISO 8601 in UTC; null for a chunk of the newest version',
    null,
  ],
  originalType: ['The type of the kept file: pdf, docx, html, …; null if none is kept', 'pdf'],
  originals: ['Whether the flow keeps the files of its documents', false],
  'data.job': ['The id of the last job that read the document; null if there was none', EXAMPLE_ID],
  around: [
    'The id of a chunk of the source: the answer is the page that has it',
    '0b2ae1f6-6d4b-5d8a-9c1e-3f1d2c4b5a69',
  ],
  offset: ['How many chunks are before the page', 0],

  // the outcome of an upsert
  added: ['New chunks', 12],
  updated: ['Chunks that replaced a changed one', 0],
  skipped: ['Chunks that were stored before', 0],
  deleted: ['Chunks that were removed', 0],
  numAdded: ['New chunks of all files', 12],
  numUpdated: ['Chunks of all files that replaced a changed one', 0],
  numSkipped: ['Chunks of all files that were stored before', 0],
  numDeleted: ['Chunks that were removed', 0],
  outdated: [
    'Chunks of earlier versions of the document that stay and are still found; of a file absent where there are none',
    0,
  ],
  numOutdated: [
    'Chunks of earlier versions of the loaded documents that stay: with the cleanup none, or without a record manager. Absent in results of earlier releases',
    0,
  ],
  changedSettings: [
    'Settings of the flow that differ from those with which the document was loaded, a line each; a refresh loads it again',
    ['Chunk Size 1000 → 600'],
  ],
  failedAt: ['When the file failed, ISO 8601 in UTC', '2026-11-21T09:30:00.000Z'],
  again: [
    'How the file can be tried again: kept (from the kept file), job (by a retry of its job), upsert (by an upsert without files, which finds it), file (only when it is sent again)',
    'kept',
  ],
  olderChunks: ['How many chunks of an earlier version are still found', 0],
  'answer.missing': ['Files that are not kept any more, or that are failed no more', []],
  numForgotten: ['How many failed files were forgotten', 1],
  'body.files': ['The names of failed files', ['broken.pdf']],
  'data.file': ['The name of the file', 'broken.pdf'],
  numFailed: ['Files that could not be loaded', 0],
  numEmpty: ['Files without text', 0],
  totalKeys: ['All chunks of this upsert, with any outcome', 12],
  addedDocs: [
    'The first 20 of the new chunks',
    [{ pageContent: 'The notice period is four weeks.', metadata: { source: 'handbook.pdf' } }],
  ],
  sourceDocuments: [
    'The chunks that the answer is based on; for an upsert with returnSourceDocuments, all its chunks',
    [],
  ],
  sourceDocumentsTruncated: ['Whether there were more than the 1,000 chunks that are listed', false],
  dryRun: ['Whether nothing was written', true],
  timeTaken: ['The duration in milliseconds', 12],

  filesNeeded: [
    'Documents that were loaded with other settings and whose files are not kept: their number, and the names of the first 20; send these files again',
    { count: 1, names: ['handbook.pdf'] },
  ],

  'filesNeeded.count': ['How many files', 1],
  'filesNeeded.names': ['The names of the first 20', ['handbook.pdf']],

  // documents and the settings they were loaded with
  next: [
    'What brings the documents up to date: refresh loads them again, send needs their files, reindex is for another embedder and comes first; null where nothing differs',
    'refresh',
  ],
  differing: ['How many documents were loaded with other settings than the flow has now', 12],
  fromKept: ['How many of them have a kept file', 12],
  fromLoaders: ['How many of them are found by their loaders', 0],
  unknownSettings: [
    'How many documents were loaded before it was stored with which settings; a refresh finds out for those with a kept file',
    0,
  ],
  embedders: [
    'The embedder of the stored vectors and that of the flow, where they differ',
    { from: 'sluice-static-256-v1', to: 'openai text-embedding-3-small' },
  ],
  differences: [
    'What differs, and for how many documents',
    [
      {
        differing: 12,
        summary: 'Chunk Size 1000 → 600',
        changes: [
          {
            nodeId: 'sluiceTextSplitter_0',
            input: 'chunkSize',
            label: 'Chunk Size',
            from: 1000,
            to: 600,
          },
        ],
      },
    ],
  ],
  'differences.summary': ['All changes in one line, for people', 'Chunk Size 1000 → 600'],
  'differences.changes': [
    'Settings of a load and of the flow now. input is null where the node itself is another; from and to are … for long values and addresses',
    [
      {
        nodeId: 'sluiceTextSplitter_0',
        input: 'chunkSize',
        label: 'Chunk Size',
        from: 1000,
        to: 600,
      },
    ],
  ],

  // the outcome of reindexing
  numChunks: ['Chunks with new vectors', 12],
  numEmbedded: ['Distinct texts that were embedded', 12],
  embedder: ['The embedding model', 'sluice-static-256-v1'],
  dimensions: ['The number of dimensions of a vector', 256],

  // options of a request
  overrideConfig: [
    'Values for inputs of the nodes that the flow opens to requests, and options of the request: strict, dryRun, confirmFullCleanup, returnSourceDocuments, addMetadata, password',
    { chunkSize: 500 },
  ],
  password: [
    'Opens PDFs that are protected by a password: a text for all files, or an object of texts by the names of files, where * means all others. It is not stored with the documents, and goes when the job ends',
    'winter',
  ],
  'query.pin': [
    'For callers whose key has no pins: works on the documents that keys with these pins have loaded, as name=value; several by repetition. Without it they are those of no pins',
    'tenant=acme',
  ],
  stopNodeId: [
    'The id of the vector store node to use; required if the flow has several',
    'builtInVectorStore_0',
  ],
  async: ['true: answer at once with a job; false: wait for the result. Has precedence over Prefer', true],
  Prefer: ['respond-async: answer at once with a job (RFC 7240)', 'respond-async'],
  'Idempotency-Key': [
    'A repetition of the request with the same key within 24 hours gets the first answer again; 1 to 255 characters',
    'import-2026-01-31',
  ],
}
