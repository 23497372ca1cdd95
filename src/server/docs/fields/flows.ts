import { EXAMPLE_ID, type FieldDocs } from './field-doc.ts'

/** Flows, their settings and the templates for new flows. */
export const flowFields: FieldDocs = {
  flowId: ['The id (UUID) or the slug of the flow', 'quickstart'],
  chatflowid: ['The id of the flow', EXAMPLE_ID],
  'body.chatflowid': ['The id or the slug of the flow', 'quickstart'],
  flow: ['The flow as it was stored', { id: EXAMPLE_ID, slug: 'handbook', name: 'Handbook' }],
  slug: [
    'The name of the flow in web addresses: lower-case letters, digits and hyphens, at most 100',
    'handbook',
  ],
  'query.type': ['Only flows of this type', 'CHATFLOW'],
  flowData: ['The graph of the flow, nodes and edges, as JSON text', '{"nodes":[],"edges":[]}'],
  'body.flowData': ['The graph of the flow, as an object or as JSON text', { nodes: [], edges: [] }],
  revision: ['The number of the newest revision, which is also the ETag', 3],
  number: ['The number of the revision', 1],
  'data.number': ['The number of the revision, from 1', 3],
  savedAt: ['When it was saved, ISO 8601 in UTC', '2026-11-21T09:30:00.000Z'],
  savedBy: [
    'The name of the key that saved it, ADMIN_KEY, studio session, or Sluice for a flow of the first start',
    'studio session',
  ],
  'data.changes': ['The fields that differ from the revision before', ['flowData', 'name']],
  'If-Match': ['The ETag of the flow that the change is based on; 412 if it was saved meanwhile', '"3"'],
  template: ['The name of the template for a new flow; instead of flowData', 'documents'],
  apikeyid: [
    'The id of the API key that callers of the flow need; empty or null opens the flow to all callers',
    EXAMPLE_ID,
  ],
  deployed: ['Kept for clients of Flowise; has no effect', false],
  isPublic: ['Kept for clients of Flowise; has no effect', false],
  category: ['The group in which an editor lists it', 'Vector Stores'],
  apiConfig: [
    'The inputs that a request may override, and the rate limit of the flow',
    { overrideConfig: { status: true, nodes: {} } },
  ],
  chatbotConfig: [
    'The look of the chat window of the flow, and the web sites that may use it',
    { allowedOrigins: ['https://example.com'] },
  ],
  analytic: ['Kept for clients of Flowise; has no effect', null],
  speechToText: ['Kept for clients of Flowise; has no effect', null],
  textToSpeech: ['Kept for clients of Flowise; has no effect', null],
  followUpPrompts: ['Kept for clients of Flowise; has no effect', null],

  'body.flow': ['The id or the slug of a stored flow; instead of flowData', 'quickstart'],
  problems: ['What keeps the flow from running', []],
  'problems.nodeId': ['The node; null for a problem of the whole flow', 'fileLoader_0'],
  'problems.input': ['The name of the input; null for a problem of the whole node', 'metadata'],
  line: ['The line of a JSON text, from 1; null for other values', 2],

  // settings
  'answer.key': ['The API key that callers of the flow need; null for an open flow', null],
  overrides: ['Whether requests may override inputs', true],
  rateLimit: ['The most requests of one caller: requests/seconds, or off', '60/60'],
  holds: ['The contents of the store of the flow', { sources: 3, chunks: 12, sharedWith: [] }],
  'holds.sources': ['The number of documents in the store', 3],
  'holds.chunks': ['The number of chunks in the store', 12],
  sharedWith: ['Other flows that use the same store', []],
  nodes: ['The nodes', []],
  'nodes.uploads': ['Whether the node takes files of a request', true],
  credential: ['The id of the credential of the node', EXAMPLE_ID],
  credentialKinds: ['The kinds of credential that the node or flow can use', ['openAIApi']],
  settings: ['The inputs of the node and their values', []],
  isDefault: ['Whether the value is the default', true],
  overridable: ['Whether a request may override it', false],
  set: ['The new values, by the names of the settings', { chunkSize: 500 }],
  changes: ['The settings whose value changed', [{ key: 'chunkSize', from: 1000, to: 500 }]],
  from: ['The value before', 1000],
  to: ['The value now', 500],

  // summaries and deleted flows
  documents: ['The number of documents of the flow, without the files of conversations', 3],
  problemCount: [
    'The number of problems that keep the flow from running; POST /flows/validate lists them',
    0,
  ],
  lastUpsert: ['The last upsert of the flow; null before the first', null],
  'lastUpsert.jobId': ['The job; null where it is not kept any more', EXAMPLE_ID],
  'lastUpsert.at': ['When it ended; before that, when it was requested', '2026-11-21T09:30:00.000Z'],
  deletedAt: ['When the flow was deleted, ISO 8601 in UTC', '2026-11-21T09:30:00.000Z'],
  removedAt: ['When the flow is removed for good, ISO 8601 in UTC', '2026-12-21T09:30:00.000Z'],
  diskBytes: ['About how much disk space its chunks take, in bytes', 48_000],
  'query.now': ['true removes the flow for good, also one that was deleted before', true],

  // templates
  about: ['The purpose of the template', 'Answers questions from documents'],
  asks: ['The settings that a new flow needs a value for', ['model']],
  questions: ['The same settings with their labels', [{ key: 'url', label: 'URL' }]],
}
