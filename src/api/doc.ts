import { z } from 'zod'
import type { Json } from '../kit/json.ts'

/**
 * Where a field keeps what it means, beside its shape: `/openapi.json` and `/docs` read it from there, and make no schema of it
 * before somebody asks. A shape that is made for the field is registered as it is, `z.string().nullish().register(docs, …)`.
 * One that other fields share, such as `count`, is copied by `count.meta(…)`. A copy takes some thirty times as long, and all
 * shapes are made at each start.
 */
export const docs = z.globalRegistry

/** Example values that several fields share. */
export const EXAMPLE_ID = '5f6a9c1e-6f0e-4a53-9d7b-0d8f4f6f2b11'
export const EXAMPLE_MOMENT = '2026-01-31T09:00:00.000Z'

/**
 * The meaning of a field with its unit, and one value as an example. A literal, a choice and true or false are examples of
 * themselves. It belongs to the outermost part of the field: after `.nullish()`, not before it.
 */
export const doc = (description: string, example?: Json) =>
  example === undefined ? { description } : { description, examples: [example] }

/** Fields that mean the same in several shapes. A field that means something else there has a `doc` of its own. */
export const common = {
  flowId: doc('The id of the flow, a UUID', EXAMPLE_ID),
  flowName: doc('The name of the flow', 'Handbook'),
  flowType: doc('The type of the flow', 'CHATFLOW'),
  slug: doc(
    'The name of the flow in web addresses: lower-case letters, digits and hyphens, at most 100',
    'handbook',
  ),
  category: doc('A word by which lists of flows can be grouped', 'Support'),
  revision: doc('The number of the newest revision, which is also the ETag', 3),
  graph: doc('The graph of the flow, as an object or as JSON text', { nodes: [], edges: [] }),
  flowKey: doc('The API key that callers of the flow need; null for an open flow', null),
  keyId: doc('The id of the key, a UUID', EXAMPLE_ID),
  keyName: doc('The name of the key; null where it is not known any more', 'website'),
  nodeId: doc('The id of the node in the drawing', 'fileLoader_0'),
  nodeLabel: doc('The label of the node in the drawing', 'File Loader'),
  nodeCount: doc('The number of nodes', 4),
  nodeType: doc('The name of the node type', 'fileLoader'),
  inputLabel: doc('The name that an editor shows', 'Chunk Size'),
  valueType: doc('The type of the value', 'number'),
  storeNode: doc(
    'The id of the vector store node to use; required if the flow has several',
    'builtInVectorStore_0',
  ),
  overrides: doc(
    'Values for inputs of the nodes that the flow opens to requests, and options of the request: strict, dryRun, confirmFullCleanup, returnSourceDocuments, addMetadata, password',
    { chunkSize: 500 },
  ),
  pin: doc(
    'For callers whose key has no pins: works on the documents that keys with these pins have loaded, as name=value; several by repetition. Without it they are those of no pins',
    'tenant=acme',
  ),
  password: doc(
    'Opens PDFs that are protected by a password: a text for all files, or an object of texts by the names of files, where * means all others. It is not stored with the documents, and goes when the job ends',
    'winter',
  ),
  warnings: doc('Parts of the request that had no effect, each with the reason', [
    { key: 'chunksize', reason: 'no node of this flow has such an input; did you mean chunkSize?' },
  ]),
  created: doc('Time of creation, ISO 8601 in UTC', EXAMPLE_MOMENT),
  changed: doc('Time of the last change, ISO 8601 in UTC', EXAMPLE_MOMENT),
  timeTaken: doc('The duration in milliseconds', 12),
  chatId: doc('The id of the conversation', 'chat-1'),
  sessionId: doc('The id of the session in the memory of the flow', 'chat-1'),
  sourceDocuments: doc('The chunks that the answer is based on', []),
  usedTools: doc('The tool calls of the agent', [
    { tool: 'get_weather', toolInput: { city: 'Bern' }, toolOutput: '12 °C' },
  ]),
  action: doc('The decision that the run waits for; absent for none', {
    id: EXAMPLE_ID,
    mapping: { approve: 'Proceed', reject: 'Reject' },
    elements: [],
    data: {},
  }),
  source: doc('The name of the document', 'handbook.pdf'),
  chunkText: doc('The text of the chunk', 'The notice period is four weeks.'),
  chunkMetadata: doc(
    'Metadata of the chunk: source, page, lines and the fields that the loader or the request added',
    { source: 'handbook.pdf', loc: { pageNumber: 3 } },
  ),
  filter: doc(
    'Selects chunks by metadata: {field: value} or {field: {operator: value}}. Operators: $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists, $contains. $and, $or and $not combine filters. A dot in a name selects a nested field. A name that is nearly filter is refused with 400',
    { source: 'handbook.pdf' },
  ),
  filterText: doc(
    'The filter as JSON: {"field": "value"}, with the operators of the filter in a body. A name that is nearly filter is refused with 400',
    '{"source": "handbook.pdf"}',
  ),
  score: doc(
    'The chunks are ordered by this number, larger is better; comparable within one answer only. vector: the cosine. keyword: BM25 divided by the best BM25 of the answer. hybrid: weight × cosine + (1 - weight) × that, or with fusion rrf the sum of 1 / (60 + rank); rescored, a weighted sum that also has the parts which explain lists, about 1 for a chunk that is the question. With a reranker: its score',
    0.71,
  ),
  confidence: doc(
    'The estimated probability that this chunk answers the question, 0 to 1; comparable between queries. null where no honest figure can be had: for questions of fewer than 4 or more than 40 words, for source code, where another server searches the words, and with an embedder other than the built-in one in vector mode and for chunks that only the vector search found',
    0.8,
  ),
  jobId: doc('The id of the job that does the work', EXAMPLE_ID),
  jobState: doc('The state of the job: queued, running, done, failed or cancelled', 'done'),
  errorCode: doc('The code of the error, see the table of errors', 'file_encrypted'),
  added: doc('New chunks', 12),
  updated: doc('Chunks that replaced a changed one', 0),
  moved: doc('Chunks that have another place in their document, and are the same otherwise', 0),
  skipped: doc('Chunks that were stored before', 0),
  deleted: doc('Chunks that were removed', 0),
  unchanged: doc('Chunks of a file that has not changed', 0),
  tokens: doc(
    'An estimate of the tokens of the text: for English prose 5 to 15 % above what providers count',
    8,
  ),
  outdated: doc(
    'Chunks of earlier versions of the document that stay and are still found; absent where there are none',
    0,
  ),
  dropped: doc('How much of each kind was left out of the text of the file; absent where there is none', [
    { kind: 'hiddenSheet', count: 1, text: '1 hidden sheet' },
  ]),
}
