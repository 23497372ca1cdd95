import type { Json, JsonObject } from '../../kit/json.ts'

/**
 * A request that a reader can repeat, and the status of its answer. `$name` is replaced by an id in the answer to an earlier
 * example: `keep` of that example has the name and the field of the answer.
 */
export type Example = {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number>>
  headers?: Readonly<Record<string, string>>
  body?: JsonObject
  /** Files of a multipart form, by name. */
  files?: Readonly<Record<string, string>>
  status: number
  keep?: readonly [name: string, field: string]
}

const handbook = { 'handbook.txt': 'The notice period is four weeks. Holidays are 25 days a year.' }
const flow = { flowId: 'quickstart' }
const assistant = { flowId: 'assistant' }
const withId = (id: string) => ({ path: { id } })

/** A flow with one node: enough to store, import and read it. */
const graph: Json = {
  nodes: [
    {
      id: 'plainText_0',
      data: { id: 'plainText_0', name: 'plainText', label: 'Text', inputs: { text: 'Otters swim.' } },
    },
  ],
  edges: [],
}

const hello = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }

/**
 * One example per route, by method and path. The tests execute them in this order on a new server with two further
 * flows: `assistant`, a chat flow, and `agent`, an agent flow.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  'GET /api/v1/ping': { status: 200 },
  'GET /api/v1/version': { status: 200 },
  'GET /healthz': { status: 200 },
  'GET /api/v1/healthz': { status: 200 },
  'GET /readyz': { status: 200 },
  'GET /api/v1/readyz': { status: 200 },
  'GET /metrics': { status: 200 },

  'POST /api/v1/vector/upsert/:flowId': { path: flow, files: handbook, status: 200, keep: ['job', 'jobId'] },
  'POST /api/v1/vector/query/:flowId': {
    path: flow,
    body: { query: 'How long is the notice period?', topK: 3, filter: { source: { $in: ['handbook.txt'] } } },
    status: 200,
  },
  'GET /api/v1/vector/query/:flowId': { path: flow, query: { q: 'notice period', topK: 3 }, status: 200 },
  'GET /api/v1/vector/sources/:flowId': { path: flow, query: { page: 1, limit: 10 }, status: 200 },
  'GET /api/v1/vector/fields/:flowId': { path: flow, status: 200 },
  'GET /api/v1/vector/sources/:flowId/text': {
    path: flow,
    query: { source: 'handbook.txt' },
    status: 200,
  },
  'GET /api/v1/vector/sources/:flowId/trace': {
    path: flow,
    query: { source: 'handbook.txt' },
    status: 200,
  },
  'GET /api/v1/vector/sources/:flowId/questions': {
    path: flow,
    query: { source: 'handbook.txt' },
    status: 200,
  },
  'GET /api/v1/vector/sources/:flowId/original': {
    path: flow,
    query: { source: 'handbook.txt' },
    status: 404,
  },
  'GET /api/v1/vector/chunks/:flowId': { path: flow, query: { source: 'handbook.txt' }, status: 200 },
  'POST /api/v1/vector/reindex/:flowId': { path: flow, status: 200 },
  'POST /api/v1/vector/repair/:flowId': { path: flow, query: { dryRun: 'true' }, status: 409 },
  'POST /api/v1/questions/:flowId': {
    path: flow,
    body: {
      questions: [
        {
          text: 'How long is the notice period?',
          judgements: [
            { source: 'handbook.txt', passage: { quote: 'The notice period is four weeks.' }, grade: 1 },
          ],
        },
      ],
    },
    status: 200,
    keep: ['question', 'questions.0.id'],
  },
  'GET /api/v1/questions/:flowId': { path: flow, query: { state: 'accepted' }, status: 200 },
  'PATCH /api/v1/questions/:flowId/:questionId': {
    path: { ...flow, questionId: '$question' },
    body: { judge: [{ source: 'handbook.txt', grade: 1 }] },
    status: 200,
  },
  'POST /api/v1/eval/:flowId': { path: flow, status: 200, keep: ['run', 'run'] },
  'GET /api/v1/eval/:flowId/runs': { path: flow, query: { limit: 10 }, status: 200 },
  'GET /api/v1/eval/:flowId/runs/:runId': { path: { ...flow, runId: '$run' }, status: 200 },
  'POST /api/v1/compare/:flowId': {
    path: flow,
    body: { variants: [{ name: 'live' }, { name: 'small chunks', inputs: { chunkSize: 600 } }], looks: 1 },
    status: 202,
    keep: ['comparison', 'jobId'],
  },
  'GET /api/v1/compare/:flowId': { path: flow, query: { limit: 10 }, status: 200 },
  'GET /api/v1/compare/:flowId/:jobId': { path: { ...flow, jobId: '$comparison' }, status: 200 },
  'GET /api/v1/questions/:flowId/export': { path: flow, status: 200 },
  'POST /api/v1/questions/:flowId/import': {
    path: flow,
    body: {
      queries: '{"_id":"q1","text":"How many holidays are there?"}\n',
      qrels: 'q1\thandbook.txt\t1\n',
    },
    status: 200,
  },
  'POST /api/v1/questions/:flowId/proposals': { path: flow, body: { limit: 20 }, status: 200 },
  'GET /api/v1/questions/:flowId/feedback': { path: flow, status: 200 },
  'DELETE /api/v1/questions/:flowId/:questionId': {
    path: { ...flow, questionId: '$question' },
    status: 200,
  },
  'DELETE /api/v1/questions/:flowId': { path: flow, query: { state: 'proposed' }, status: 200 },
  'GET /api/v1/vector/refresh/:flowId': { path: flow, status: 200 },
  'POST /api/v1/vector/refresh/:flowId': { path: flow, status: 200 },
  'GET /api/v1/jobs': { query: { limit: 10 }, status: 200 },
  'GET /api/v1/jobs/:id': { ...withId('$job'), status: 200 },
  'POST /api/v1/vector/dry-run/:flowId': {
    query: { async: 'false' },
    path: flow,
    files: handbook,
    status: 200,
    keep: ['dryRun', 'jobId'],
  },
  'GET /api/v1/jobs/events': { query: { until: 'idle' }, status: 200 },
  'GET /api/v1/jobs/:id/files': { ...withId('$job'), query: { state: 'indexed' }, status: 200 },
  'GET /api/v1/jobs/:id/failures': { ...withId('$job'), status: 200 },
  'GET /api/v1/jobs/:id/sources': { ...withId('$dryRun'), query: { page: 1, limit: 10 }, status: 200 },
  'GET /api/v1/jobs/:id/chunks': { ...withId('$dryRun'), query: { fate: 'unchanged' }, status: 200 },
  'GET /api/v1/jobs/:id/events': { ...withId('$job'), status: 200 },
  'POST /api/v1/jobs/:id/cancel': { ...withId('$job'), status: 409 },
  'POST /api/v1/jobs/:id/retry': { ...withId('$job'), status: 409 },
  'GET /api/v1/upsert-history/:flowId': {
    path: flow,
    query: { order: 'DESC' },
    status: 200,
    keep: ['row', '0.id'],
  },
  'GET /api/v1/upsert-history/:flowId/:id': { path: { ...flow, id: '$row' }, status: 200 },
  'GET /api/v1/stats': { status: 200 },
  'GET /api/v1/stats/:flowId': { path: flow, status: 200 },
  'PATCH /api/v1/upsert-history': { body: { ids: ['$row'] }, status: 200 },
  'PATCH /api/v1/upsert-history/:flowId': { path: flow, body: { ids: ['$row'] }, status: 404 },
  'DELETE /api/v1/vector/upsert/:flowId': { path: flow, query: { source: 'handbook.txt' }, status: 200 },
  'GET /api/v1/vector/failed/:flowId': { path: flow, query: { page: 1, limit: 10 }, status: 200 },
  'POST /api/v1/vector/failed/:flowId/retry': { path: flow, body: { files: ['broken.pdf'] }, status: 404 },
  'POST /api/v1/vector/failed/:flowId/forget': { path: flow, body: { files: ['broken.pdf'] }, status: 200 },
  'POST /api/v1/vector/sources/:flowId/restore': {
    path: flow,
    body: { sources: ['handbook.txt'] },
    status: 200,
  },

  'POST /api/v1/prediction/:flowId': {
    path: assistant,
    body: { question: 'How long is the notice period?', chatId: 'chat-1' },
    status: 200,
    keep: ['answer', 'chatMessageId'],
  },
  'POST /api/v1/internal-prediction/:id': {
    ...withId('agent'),
    body: { question: 'Hello' },
    status: 200,
    keep: ['execution', 'executionId'],
  },
  'POST /v1/chat/completions': {
    body: { model: 'assistant', messages: [{ role: 'user', content: 'Hello' }] },
    status: 200,
  },
  'GET /v1/models': { status: 200 },
  'GET /v1/models/:model': { path: { model: 'assistant' }, status: 200 },
  'POST /v1/embeddings': { body: { model: 'builtin', input: ['Otters hold hands.'] }, status: 200 },
  'POST /api/v1/mcp/:flowId': { path: flow, headers: MCP_HEADERS, body: hello, status: 200 },
  'GET /api/v1/mcp/:flowId': { path: flow, headers: MCP_HEADERS, status: 405 },
  'DELETE /api/v1/mcp/:flowId': { path: flow, headers: MCP_HEADERS, status: 405 },

  'GET /api/v1/chatflows-streaming/:flowId': { path: assistant, status: 200 },
  'GET /api/v1/public-chatbotConfig/:flowId': { path: assistant, status: 200 },
  'POST /api/v1/attachments/:flowId/:chatId': {
    path: { ...assistant, chatId: 'chat-1' },
    files: handbook,
    status: 200,
  },
  'GET /api/v1/get-upload-file': {
    query: { fileId: 'plan.png', expires: 1769850000000, signature: 'c2lnbmF0dXJl' },
    status: 403,
  },
  'POST /api/v1/feedback/:flowId': {
    path: assistant,
    body: { chatId: 'chat-1', messageId: '$answer', rating: 'THUMBS_UP' },
    status: 200,
    keep: ['feedback', 'id'],
  },
  'PUT /api/v1/feedback/:id': { ...withId('$feedback'), body: { content: 'Helpful' }, status: 200 },
  'GET /api/v1/feedback/:id': { ...withId('assistant'), status: 200 },
  'POST /api/v1/leads': {
    body: { chatflowid: 'assistant', chatId: 'chat-1', name: 'Ada', email: 'ada@example.com' },
    status: 200,
  },
  'GET /api/v1/leads/:id': { ...withId('assistant'), status: 200 },
  'GET /api/v1/chatmessage/:flowId': {
    path: assistant,
    query: { chatId: 'chat-1', feedback: 'true' },
    status: 200,
  },
  'GET /api/v1/chatflows/:id/conversations': {
    ...withId('assistant'),
    query: { search: 'notice' },
    status: 200,
  },
  'GET /api/v1/executions': {
    query: { agentflowId: 'agent', state: 'FINISHED' },
    status: 200,
  },
  'GET /api/v1/executions/:id': { ...withId('$execution'), status: 200 },
  'GET /api/v1/runs': { query: { flowId: 'agent' }, status: 200 },
  'GET /api/v1/runs/:id': { ...withId('$execution'), status: 200 },
  'GET /api/v1/runs/:id/events': { ...withId('$execution'), status: 200 },
  'POST /api/v1/runs/:id/again': { ...withId('$execution'), body: { from: 1 }, status: 200 },
  'DELETE /api/v1/executions/:id': { ...withId('$execution'), status: 200 },
  'DELETE /api/v1/executions': { body: { executionIds: ['$execution'] }, status: 200 },
  'PUT /api/v1/chatmessage/abort/:flowId/:chatId': { path: { ...assistant, chatId: 'chat-1' }, status: 200 },
  'DELETE /api/v1/chatmessage/:id': { ...withId('assistant'), query: { chatId: 'chat-1' }, status: 200 },

  'POST /api/v1/apikey': {
    body: { keyName: 'website', scopes: ['query', 'predict'], flows: ['quickstart'] },
    status: 200,
    keep: ['key', 'id'],
  },
  'POST /api/v1/session/codes': { status: 200, keep: ['code', 'code'] },
  'POST /api/v1/session': { body: { code: '$code' }, status: 200 },
  'GET /api/v1/session': { status: 200 },
  'DELETE /api/v1/session': { status: 200 },
  'GET /api/v1/audit': { query: { kind: 'refusal', limit: 10 }, status: 200 },
  'GET /api/v1/apikey': { status: 200 },
  'GET /api/v1/apikey/verify': { status: 200 },
  'GET /api/v1/verify/apikey/:key': { path: { key: 'sk-unknown' }, status: 401 },
  'PUT /api/v1/apikey/:id': {
    ...withId('$key'),
    body: { keyName: 'website', scopes: ['query'] },
    status: 200,
  },
  'POST /api/v1/apikey/:id/rotate': { ...withId('$key'), status: 200 },
  'DELETE /api/v1/apikey/:id': { ...withId('$key'), status: 200 },
  'POST /api/v1/chatflows': {
    body: { name: 'Handbook', slug: 'handbook', flowData: graph },
    status: 200,
    keep: ['flow', 'id'],
  },
  'GET /api/v1/chatflows': { query: { page: 1, limit: 10 }, status: 200 },
  'GET /api/v1/chatflows/:id': { ...withId('$flow'), status: 200 },
  'PUT /api/v1/chatflows/:id': { ...withId('$flow'), body: { name: 'The handbook' }, status: 200 },
  'GET /api/v1/flow-templates': { status: 200 },
  'POST /api/v1/flows/validate': { body: { flow: 'quickstart' }, status: 200 },
  'POST /api/v1/flows/text': { body: { flow: 'quickstart' }, status: 200 },
  'GET /api/v1/chatflows/:id/text': { ...withId('$flow'), status: 200 },
  'PUT /api/v1/chatflows/:id/text': {
    ...withId('$flow'),
    body: { text: 'flow: The handbook\nnodes: {}\n' },
    status: 200,
  },
  'GET /api/v1/chatflows/:id/revisions': { ...withId('$flow'), status: 200 },
  'GET /api/v1/chatflows/:id/revisions/:number': { path: { id: '$flow', number: '1' }, status: 200 },
  'POST /api/v1/chatflows/:id/revisions/:number/restore': { path: { id: '$flow', number: '1' }, status: 200 },
  'PUT /api/v1/chatflows/:id/draft': { ...withId('$flow'), body: { flowData: graph }, status: 200 },
  'GET /api/v1/chatflows/:id/draft': { ...withId('$flow'), status: 200 },
  'POST /api/v1/chatflows/:id/draft/publish': { ...withId('$flow'), status: 422 },
  'DELETE /api/v1/chatflows/:id/draft': { ...withId('$flow'), status: 200 },
  'GET /api/v1/chatflows/:id/settings': { ...withId('$flow'), status: 200 },
  'PATCH /api/v1/chatflows/:id/settings': {
    ...withId('$flow'),
    body: { set: { name: 'Our handbook' } },
    status: 200,
  },
  'GET /api/v1/chatflows/:id/requests': { ...withId('$flow'), status: 200 },
  'GET /api/v1/chatflows/:id/export': { ...withId('$flow'), status: 200 },
  'GET /api/v1/flow-config/:id': { ...withId('$flow'), status: 200 },
  'GET /api/v1/flows': { status: 200 },
  'DELETE /api/v1/chatflows/:id': { ...withId('$flow'), status: 200 },
  'GET /api/v1/flows/deleted': { status: 200 },
  'POST /api/v1/chatflows/:id/restore': { ...withId('$flow'), status: 200 },
  'POST /api/v1/export-import/export': { body: { chatflow: true }, status: 200 },
  'POST /api/v1/export-import/import': { query: { name: 'Moved' }, body: graph as JsonObject, status: 200 },
  'POST /api/v1/chatflows/import': { query: { name: 'Imported' }, body: graph as JsonObject, status: 200 },
  'GET /api/v1/nodes': { status: 200 },
  'GET /api/v1/nodes/:name': { path: { name: 'builtInVectorStore' }, status: 200 },
  'POST /api/v1/node-load-method/:name': {
    path: { name: 'openAPIToolkit' },
    body: { loadMethod: 'listEndpoints', inputs: {} },
    status: 422,
  },
  'GET /api/v1/components-credentials': { status: 200 },
  'POST /api/v1/components-credentials/:name/test': {
    path: { name: 'httpBearerToken' },
    body: { plainDataObj: { token: 'secret' }, address: 'http://127.0.0.1:1/me' },
    status: 200,
  },
  'GET /api/v1/components-credentials/:name': { path: { name: 'openAIApi' }, status: 200 },
  'POST /api/v1/credentials': {
    body: { name: 'OpenAI', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-test' } },
    status: 200,
    keep: ['credential', 'id'],
  },
  'GET /api/v1/credentials': { query: { credentialName: 'openAIApi' }, status: 200 },
  'GET /api/v1/credentials/:id': { ...withId('$credential'), status: 200 },
  'POST /api/v1/credentials/:id/test': {
    ...withId('$credential'),
    body: { address: 'http://127.0.0.1:1/v1' },
    status: 200,
  },
  'PUT /api/v1/credentials/:id': {
    ...withId('$credential'),
    body: { name: 'OpenAI of the team' },
    status: 200,
  },
  'DELETE /api/v1/credentials/:id': { ...withId('$credential'), status: 200 },
  'POST /api/v1/variables': { body: { name: 'city', value: 'Bern' }, status: 200, keep: ['variable', 'id'] },
  'GET /api/v1/variables': { query: { page: 1, limit: 10 }, status: 200 },
  'GET /api/v1/variables/:id': { ...withId('$variable'), status: 200 },
  'PUT /api/v1/variables/:id': { ...withId('$variable'), body: { value: 'Basel' }, status: 200 },
  'DELETE /api/v1/variables/:id': { ...withId('$variable'), status: 200 },

  'POST /api/v1/document-store/store': {
    body: { name: 'Handbook', description: 'The handbook of the company' },
    status: 200,
    keep: ['store', 'id'],
  },
  'GET /api/v1/document-store/store': { status: 200 },
  'GET /api/v1/document-store/store/:flowId': { path: flow, status: 200 },
  'PUT /api/v1/document-store/store/:id': {
    ...withId('$store'),
    body: { name: 'Handbook 2026' },
    status: 200,
  },
  'GET /api/v1/document-store/components/loaders': { status: 200 },
  'GET /api/v1/document-store/components/embeddings': { status: 200 },
  'GET /api/v1/document-store/components/vectorstore': { status: 200 },
  'GET /api/v1/document-store/components/recordmanager': { status: 200 },
  'POST /api/v1/document-store/loader/preview': {
    body: { loaderId: 'plainText', loaderConfig: { text: 'Otters swim.' }, previewChunkCount: 5 },
    status: 200,
  },
  'POST /api/v1/document-store/loader/save': {
    body: { storeId: '$store', loaderId: 'plainText', loaderConfig: { text: 'Otters swim.' } },
    status: 200,
  },
  'POST /api/v1/document-store/loader/process/:loaderId': {
    path: { loaderId: 'fileLoader_0' },
    body: { storeId: 'quickstart' },
    status: 200,
  },
  'DELETE /api/v1/document-store/loader/:id/:loaderId': {
    path: { id: '$store', loaderId: 'none' },
    status: 404,
  },
  'POST /api/v1/document-store/upsert/:flowId': { path: flow, body: { docId: 'fileLoader_0' }, status: 200 },
  'POST /api/v1/document-store/refresh/:flowId': { path: flow, body: {}, status: 200 },
  'POST /api/v1/document-store/vectorstore/query': {
    body: { storeId: 'quickstart', query: 'How long is the notice period?', inputs: { topK: 3 } },
    status: 200,
  },
  'POST /api/v1/document-store/vectorstore/save': {
    body: { storeId: '$store', vectorStoreName: 'builtInVectorStore', vectorStoreConfig: { topK: 5 } },
    status: 200,
  },
  'POST /api/v1/document-store/vectorstore/update': {
    body: { storeId: '$store', vectorStoreName: 'builtInVectorStore', vectorStoreConfig: { topK: 4 } },
    status: 200,
  },
  'POST /api/v1/document-store/vectorstore/insert': { body: { storeId: '$store' }, status: 200 },
  'DELETE /api/v1/document-store/vectorstore/:id': { ...withId('$store'), status: 200 },
  'GET /api/v1/document-store/chunks/:flowId/:loaderId/:page': {
    path: { flowId: 'quickstart', loaderId: 'fileLoader_0', page: '1' },
    status: 200,
  },
  'PUT /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId': {
    path: { flowId: 'quickstart', loaderId: 'fileLoader_0', chunkId: 'none' },
    body: { pageContent: 'The notice period is six weeks.' },
    status: 404,
  },
  'DELETE /api/v1/document-store/chunks/:flowId/:loaderId/:chunkId': {
    path: { flowId: 'quickstart', loaderId: 'fileLoader_0', chunkId: 'none' },
    status: 404,
  },
  'GET /api/v1/document-store/edits/:flowId': { path: flow, status: 200 },
  'DELETE /api/v1/document-store/edits/:flowId/:editId': {
    path: { flowId: 'quickstart', editId: 'none' },
    status: 404,
  },
  'DELETE /api/v1/document-store/store/:id': { ...withId('$store'), status: 200 },
  'POST /api/v1/tools': {
    body: {
      name: 'weather_of_city',
      description: 'Tells the weather of a city',
      schema: '[{"id":0,"property":"city","type":"string","description":"A city","required":true}]',
      func: "return 'It rains in ' + $city",
    },
    status: 200,
    keep: ['tool', 'id'],
  },
  'GET /api/v1/tools': { query: { usage: 'true' }, status: 200 },
  'POST /api/v1/tools/try': {
    body: {
      schema: '[{"id":0,"property":"city","type":"string","description":"A city","required":true}]',
      func: "return 'It rains in ' + $city",
      input: { city: 'Bern' },
    },
    status: 200,
  },
  'GET /api/v1/tools/:id': { ...withId('$tool'), status: 200 },
  'PUT /api/v1/tools/:id': {
    ...withId('$tool'),
    body: { func: "return 'The sun shines in ' + $city" },
    status: 200,
  },
  'DELETE /api/v1/tools/:id': { ...withId('$tool'), status: 200 },

  'GET /': { status: 200 },
  'GET /guide': { status: 200 },
  'GET /chatbot/:flowId': { path: assistant, status: 200 },
  'GET /flows': { status: 200 },
  'GET /flows/:id': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/ask': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/documents': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/compare': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/questions': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/history': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/api': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/configuration': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/revisions': { path: { id: 'quickstart' }, status: 200 },
  'GET /flows/:id/documents/:source': { path: { id: 'quickstart', source: 'guide.txt' }, status: 200 },
  'GET /jobs': { status: 200 },
  'GET /executions': { status: 200 },
  'GET /credentials': { status: 200 },
  'GET /variables': { status: 200 },
  'GET /tools': { status: 200 },
  'GET /document-stores': { status: 200 },
  'GET /document-stores/:id': { path: { id: 'quickstart' }, status: 200 },
  'GET /document-stores/:id/chunks/:loaderId': {
    path: { id: 'quickstart', loaderId: 'fileLoader_0' },
    status: 200,
  },
  'GET /keys': { status: 200 },
  'GET /assets/:name': { path: { name: 'index-1a2b3c4d.js' }, status: 404 },
  'GET /docs': { status: 200 },
  'GET /docs/try.js': { status: 200 },
  'GET /docs/style.css': { status: 200 },
  'GET /api/v1/docs': { status: 200 },
  'GET /openapi.json': { status: 200 },
  'GET /api/v1/openapi.json': { status: 200 },
}

/** Path and query string of an example. Names such as `$job` stay in place. */
export function addressOf(url: string, { path = {}, query = {} }: Example): string {
  const filled = url.replace(/:(\w+)/g, (_, name: string) => {
    const value = path[name] ?? ''
    return value.startsWith('$') ? value : encodeURIComponent(value)
  })
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return search.size === 0 ? filled : `${filled}?${search}`
}

/** The example as a curl command; with the key in `$KEY` if the route may need one. */
export function curlOf(method: string, url: string, example: Example, open: boolean): string {
  const { body, files, headers = {} } = example
  const address = `http://127.0.0.1:3000${addressOf(url, example)}`
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${address.includes('?') ? `'${address}'` : address}`,
    ...(open ? [] : ["-H 'Authorization: Bearer '$KEY"]),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...Object.keys(files ?? {}).map((name) => `-F files=@${name}`),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`] : []),
  ].join(' \\\n  ')
}
