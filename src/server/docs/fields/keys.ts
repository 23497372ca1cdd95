import { EXAMPLE_ID, EXAMPLE_MOMENT, type FieldDocs } from './field-doc.ts'

/** API keys, credentials, variables and the audit log. */
export const keyFields: FieldDocs = {
  keyName: ['The name of the key, at most 200 characters', 'website'],
  scopes: [
    'What the key allows: upsert, query, predict, manage; the default is the first three',
    ['query', 'predict'],
  ],
  permissions: ['The name of scopes in Flowise', ['query']],
  flows: [
    'The flows that the key admits to, by id or slug, in addition to those it is bound to',
    ['quickstart'],
  ],
  pins: [
    'Metadata that every document of the key gets. The key finds and changes only documents with all of its pins; they never change',
    { tenant: 'acme' },
  ],
  quotas: [
    'The most that the key may use; a change replaces all. chunks: how many its documents have, for keys with pins; bytes: of files and bodies that it uploads in a day; questions: queries, questions, texts to embed and searches in chunks in a day. Days are of UTC',
    { chunks: 10000, questions: 500 },
  ],
  used: [
    'How much of its quotas the key has used: of chunks now, of the others today',
    { chunks: 812, questions: 3 },
  ],
  'quotas.chunks': ['Chunks', 10000],
  'quotas.bytes': ['Bytes a day', 500000000],
  'quotas.questions': ['Questions a day', 500],
  'used.chunks': ['Chunks now', 812],
  'used.bytes': ['Bytes today', 1000],
  'used.questions': ['Questions today', 3],
  bind: ['Flows that need the new key from now on, by id or slug', ['handbook']],
  'path.key': ['The API key', 'sk-…'],
  'body.code': ['The code of a sign-in link; valid once, for five minutes', '0mGcQ…'],
  'answer.code': ['A code for one sign-in within five minutes', '0mGcQ…'],
  'body.key': ['A key with the scope manage, or ADMIN_KEY', 'sk-…'],
  'answer.expiresAt': ['When it expires, ISO 8601 in UTC', '2030-01-31T00:00:00.000Z'],
  signedIn: ['Whether this browser is signed in to the studio', true],
  everywhere: ['true ends the sessions of all browsers', 'true'],
  ended: ['The number of sessions that ended', 1],
  apiKey: ['The key itself; no later answer contains it', 'sk-…'],
  chatFlows: [
    'The flows that the key is bound to',
    [{ id: EXAMPLE_ID, flowName: 'Handbook', slug: 'handbook' }],
  ],
  flowName: ['The name of the flow', 'Handbook'],
  expiresAt: [
    'When the key expires, ISO 8601 in UTC; later calls are refused with 401 and key_expired. null: it does not expire',
    '2030-01-31T00:00:00.000Z',
  ],
  lastUsedAt: [
    'When it was last used, to the minute, a credential to five minutes; null if never',
    '2026-11-21T09:30:00.000Z',
  ],

  // credentials and variables
  'query.usage': ['true also lists the flows that use each row', 'true'],
  usedBy: [
    'The flows that use it, each with the nodes that do',
    [{ id: EXAMPLE_ID, slug: 'handbook', name: 'Handbook', nodes: [] }],
  ],
  'usedBy.nodes': ['The nodes of the flow that use it', []],
  'nodes.address': ['The address that the node calls with it; null for the address of the provider', null],
  fieldsSet: ['The names of the fields that have a value', ['openAIApiKey']],
  isSet: [
    'Whether it has a value: a runtime variable has one if SLUICE_VAR_name is set for the server',
    true,
  ],
  test: ['How the kind can be tested; null where no cheap call is known', { address: null }],
  'test.address': [
    'The address that a test calls; null where one must be given',
    'https://api.openai.com/v1',
  ],
  'body.address': ['The base address to call instead of the one of the provider', 'http://localhost:8080/v1'],
  ok: ['Whether the provider accepted the credential', true],
  'answer.status': ['The HTTP status of the answer; null where none came', 200],
  'answer.address': ['The address that was called, without a query', 'https://api.openai.com/v1/models'],
  'answer.models': ['The first 100 models that the provider lists', ['gpt-4o-mini']],
  credentialName: ['The kind of the credential', 'openAIApi'],
  plainDataObj: [
    'The fields of the credential by name; stored encrypted, never returned',
    { openAIApiKey: 'sk-…' },
  ],
  value: ['The value; of a static variable, at most 100,000 characters', 'Bern'],

  // the audit log
  entries: ['Rows of the audit log, newest first', []],
  'entries.id': ['The number of the row', 17],
  'entries.kind': [
    'change or read: a management call that changes or reads; refusal: a call that was refused with 401, 403 or 429',
    'change',
  ],
  'query.kind': ['Only rows of this kind', 'refusal'],
  at: ['Time of the answer, ISO 8601 in UTC', EXAMPLE_MOMENT],
  caller: [
    'The name of the key, ADMIN_KEY, studio session, no key, or an unknown key; several for merged refusals',
    'ops',
  ],
  keyId: ['The id of the key; null for ADMIN_KEY and unknown keys', EXAMPLE_ID],
  'entries.method': ['The HTTP method of the call', 'PUT'],
  route: ['The path of the route as in this description', '/api/v1/chatflows/:id'],
  'entries.object': ['The id in the path, or the id of the created object', EXAMPLE_ID],
  'entries.status': ['The HTTP status of the answer', 200],
  'entries.code': ['The code of the error; null if the call succeeded', null],
  address: ['The address of the client', '127.0.0.1'],
  times: ['The number of equal reads or refusals within ten seconds that are counted in this row', 1],
}
