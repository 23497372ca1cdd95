import type { FieldDocs } from './field-doc.ts'

/** The requests that flows take, and their overrides. */
export const flowRequestFields: FieldDocs = {
  upsert: ['Whether the flow takes upserts, as a form with files and as JSON', {}],
  stores: ['The vector stores of the flow; with several, an upsert names one as stopNodeId', []],
  'upsert.files': ['Whether it takes files in a form', { possible: true, reason: null }],
  'upsert.json': [
    'Whether it takes JSON: its loaders find their documents by themselves',
    { possible: true, reason: null },
  ],
  'answer.query': ['Whether it takes queries', { possible: true, reason: null }],
  prediction: ['Whether it takes questions', { possible: true, reason: null, streams: true }],
  possible: ['Whether the flow takes this request', true],
  'files.reason': ['Why not; null if it does', 'File uploads are not enabled for this flow'],
  'json.reason': ['Why not; null if it does', null],
  'query.reason': ['Why not; null if it does', null],
  'prediction.reason': ['Why not; null if it does', null],
  streams: ['Whether the tokens of an answer can be streamed', true],
  'nodes.inputs': ['The inputs of the node', []],
  'nodes.requests': ['The requests that the node takes part in: upsert, query, prediction', ['upsert']],
  enabled: ['Whether a request may override it', true],
  'inputs.reason': [
    'Why not: overrides_off, not_enabled, not_by_star (only * enables it, which is not enough for a guarded input), not_used (the node takes part in no request)',
    null,
  ],
  'options.reason': ['Why not; null if it may', null],
  'variables.reason': ['Why not; null if it may', null],
  'inputs.value': ['The value of the flow; null for secrets and files', 1000],
  'answer.options': ['Overrides that belong to no node', []],
  variables: ['The variables of the workspace, which vars overrides', []],
}
