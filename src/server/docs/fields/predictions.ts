import { EXAMPLE_ID, type FieldDocs } from './field-doc.ts'

/** Questions to a flow, its answers, and decisions of a person. */
export const predictionFields: FieldDocs = {
  question: ['The question, at most 1,000,000 characters', 'How long is the notice period?'],
  form: [
    'The values of the form that an agent flow starts with, instead of a question',
    { topic: 'notice period' },
  ],
  streaming: ['Whether the answer is sent as server-sent events while it is generated', false],
  chatId: ['The id of the conversation, at most 255 characters; a new one if absent', 'chat-1'],
  sessionId: ['The id of the session in the memory of the flow', 'chat-1'],
  history: [
    'The earlier messages, oldest first, for a flow without memory; at most 1,000',
    [{ role: 'userMessage', content: 'Hello' }],
  ],
  'history.type': ['Who wrote the message; the older name of role', 'userMessage'],
  role: ['Who wrote the message', 'userMessage'],
  content: ['The text', 'Hello'],
  leadEmail: ['The mail address of the visitor, at most 1,000 characters', 'ada@example.com'],
  uploads: ['Up to 20 pictures and files that belong to the question', []],
  'uploads.name': ['The file name, at most 1,024 characters', 'plan.png'],
  'uploads.type': [
    'file: a picture; url: a picture by its web address; file:full: a text from the attachments route; file:rag: a file to load into the store of the flow',
    'file',
  ],
  'uploads.data': ['The content as a data URL, or the web address', 'data:image/png;base64,iVBORw0KGgo='],
  mime: ['The media type', 'image/png'],

  // the answer
  json: ['The answer as JSON, if the flow requests JSON from its model', { weeks: 4 }],
  chatMessageId: ['The id of the answer, for feedback', EXAMPLE_ID],
  memoryType: ['The kind of memory of the flow', 'Buffer Memory'],
  isStreamValid: ['Whether the flow can stream its answer', true],
  isStreaming: ['Whether the flow streams its answer', true],
  usedTools: [
    'The tool calls of the agent',
    [{ tool: 'get_weather', toolInput: { city: 'Bern' }, toolOutput: '12 °C' }],
  ],
  tool: ['The name of the tool', 'get_weather'],
  toolInput: ['The input that the model gave the tool', { city: 'Bern' }],
  toolOutput: ['The output of the tool, as text', '12 °C'],
  'usedTools.error': ['Why the call failed', 'HTTP Error 404: Not Found'],
  executionId: ['The id of the run of an agent flow, for GET /api/v1/executions', EXAMPLE_ID],
  agentFlowExecutedData: ['The nodes of an agent flow that have run, in order', []],
  'agentFlowExecutedData.data': ['The input and output of the node', { input: {}, output: {} }],
  nodeLabel: ['The label of the node', 'Ask a person'],
  previousNodeIds: ['The ids of the nodes before it', ['startAgentflow_0']],

  // a run that waits for a decision
  action: ['The decision that the run waits for', null],
  'action.data': ['The node that waits, and its input', { nodeId: 'humanInputAgentflow_0' }],
  mapping: ['The labels of the two buttons', { approve: 'Proceed', reject: 'Reject' }],
  approve: ['The label of the button to proceed', 'Proceed'],
  reject: ['The label of the button to reject', 'Reject'],
  elements: ['The buttons', [{ type: 'approve-button', label: 'Proceed' }]],
  humanInput: [
    'The decision of a person, for a run that waits for it',
    { type: 'proceed', startNodeId: 'humanInputAgentflow_0' },
  ],
  'humanInput.type': ['The decision', 'proceed'],
  startNodeId: ['The id of the node that waits', 'humanInputAgentflow_0'],
  feedback: ['A comment of the person on the decision', 'Go on'],
}
