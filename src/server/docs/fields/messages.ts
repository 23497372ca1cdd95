import { EXAMPLE_ID, type FieldDocs } from './field-doc.ts'

/** Stored messages, feedback, leads, executions and files of conversations. */
export const messageFields: FieldDocs = {
  'query.chatId': ['Only rows of this conversation', 'chat-1'],
  'query.sessionId': ['Only rows of this session', 'chat-1'],
  'query.memoryType': ['Only messages of flows with this kind of memory', 'Buffer Memory'],
  messageId: ['The id of an answer', EXAMPLE_ID],
  'query.messageId': ['Only this message', EXAMPLE_ID],
  chatType: ['INTERNAL for questions of a manager, EXTERNAL for all others', 'EXTERNAL'],
  feedbackType: ['Only messages with this feedback', 'THUMBS_UP'],
  'query.feedback': ['Whether each message has the feedback on it', true],
  fileAnnotations: ['Kept for clients of Flowise', null],
  agentReasoning: ['Kept for clients of Flowise', null],
  reasonContent: [
    'What the model thought before the answer, and for how many milliseconds',
    { thinking: 'A short one.', thinkingDuration: 900 },
  ],
  failure: [
    'Why the question has no answer, or the answer no end; code cancelled where it was stopped',
    { code: 'provider_failed', message: 'The provider answered with status 500' },
  ],
  'failure.code': ['The code of the error', 'provider_failed'],

  'failure.nodeId': ['The id of the node that failed', 'chatOpenAI_0'],

  // conversations
  'data.title': ['The beginning of the first question', 'How long is the notice period?'],
  'data.messages': ['The number of questions and answers', 4],
  waits: ['Whether the last answer waits for the decision of a person', false],
  'data.failed': ['Whether the last question has no complete answer', false],
  artifacts: ['Kept for clients of Flowise', null],
  fileUploads: ['Pictures of the question, each with a link that expires', []],

  // feedback and leads
  rating: ['The rating of the answer', 'THUMBS_UP'],
  'body.content': ['A comment, at most 10,000 characters', 'Helpful'],
  'data.feedback': ['The feedback on the answer', { rating: 'THUMBS_UP' }],
  email: ['A mail address, at most 1,000 characters', 'ada@example.com'],
  phone: ['A telephone number, at most 1,000 characters', '+41 31 000 00 00'],

  // executions
  agentflowId: ['The id of the flow', EXAMPLE_ID],
  'query.agentflowId': ['Only executions of this flow: its id or slug', EXAMPLE_ID],
  executionIds: ['The ids of executions, at most 1,000', [EXAMPLE_ID]],
  steps: ['How many nodes of an agent flow have run, or how many spans a chat flow has', 3],
  'query.summary': ['Whether executionData and spans are left out: they are empty lists', 'true'],
  executionData: ['The nodes that have run, in order; the last one may have failed', []],
  spans: ['What the run did, in the order in which it began', []],
  omittedSpans: ['How many later spans were too many to keep', 0],
  'spans.id': ['The number of the span in its run, from 1', 2],
  'spans.parent': [
    'The number of the span within which it ran; absent for one that belongs to the run itself',
    1,
  ],
  'spans.kind': [
    'A node of an agent flow, a call of a model or tool, a search, or the wait for a person',
    'model',
  ],
  'spans.name': [
    'The node, the model with its address, the tool, or the namespace that was searched',
    'create_event',
  ],
  'spans.status': ['How it ended', 'FINISHED'],
  'spans.offset': ['When it began, in milliseconds after the run began', 12],
  'spans.ms': ['How long it took, in milliseconds; absent until it has ended', 340.5],
  'spans.error': ['Why it failed', { code: 'provider_failed', message: 'The model server failed' }],
  'spans.nodeId': ['node: its id in the drawing', 'llmAgentflow_0'],
  purpose: ['model: why it was called, where that is not the answer itself', 'rephrase the question'],
  inputTokens: ['model: the tokens that it read', 812],
  outputTokens: ['model: the tokens that it wrote', 64],
  'spans.input': ['tool: what the model gave it, long texts cut', { name: 'Book fair' }],
  'spans.output': ['tool: what it gave back, at most 2,000 characters', 'HTTP 201 Created'],
  httpStatus: ['tool: the status of its last HTTP call', 201],
  'spans.query': ['search: what was searched', 'notice period'],
  hits: ['search: how many chunks were found', 4],
  'spans.sources': [
    'search: the sources of the best five chunks, with scores',
    [{ source: 'lease.pdf', score: 0.82 }],
  ],
  decision: ['wait: what the person decided', 'proceed'],
  'executionData.data': ['The input and output of the node', { input: {}, output: {} }],

  // pictures and files
  fileId: ['The id of the picture', EXAMPLE_ID],
  expires: ['When the link expires, in milliseconds since 1970', 1769850000000],
  signature: ['The signature of the link by this server', 'c2lnbmF0dXJl'],
  mimeType: ['The media type of the text', 'text/plain'],
  size: ['The size of the file in bytes', 2048],
}
