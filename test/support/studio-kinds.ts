import type { NodeInputAnswer, NodeKindAnswer } from '../../src/api/node.ts'

const field = (name: string, type: string, more: Partial<NodeInputAnswer> = {}): NodeInputAnswer => ({
  name,
  label: name,
  type,
  default: '',
  optional: true,
  additionalParams: false,
  ...more,
})
const plug = (name: string, type: string, more: Partial<NodeInputAnswer> = {}): NodeInputAnswer => ({
  name,
  label: name,
  type,
  optional: false,
  list: false,
  ...more,
})
const kind = (
  name: string,
  category: string,
  baseClasses: string[],
  inputs: NodeInputAnswer[],
  outputs = [category === 'Agent Flows' ? 'Next' : baseClasses[0]!],
): NodeKindAnswer => ({
  name,
  part: category,
  label: name,
  version: 1,
  type: baseClasses[0]!,
  category,
  icon: 'box',
  colour: 'slate',
  baseClasses,
  description: '',
  inputs,
  outputs: outputs.map((label) => ({ label })),
})

/** A few node kinds as `GET /api/v1/nodes` answers them: enough for a chat flow that loads, and for an agent flow. */
export const STUDIO_KINDS: ReadonlyMap<string, NodeKindAnswer> = new Map(
  [
    kind(
      'loader',
      'Document Loaders',
      ['Document'],
      [
        plug('textSplitter', 'TextSplitter', { optional: true }),
        field('file', 'file'),
        field('usage', 'options', { default: 'perPage', options: [{ label: 'perPage', name: 'perPage' }] }),
      ],
    ),
    kind(
      'splitter',
      'Text Splitters',
      ['Recursive', 'TextSplitter'],
      [field('chunkSize', 'number', { default: 1000 })],
    ),
    kind('embeddings', 'Embeddings', ['BuiltIn', 'Embeddings'], [field('credential', 'credential')]),
    kind(
      'store',
      'Vector Stores',
      ['Store', 'VectorStoreRetriever', 'BaseRetriever'],
      [
        plug('document', 'Document', { list: true, optional: true }),
        plug('embeddings', 'Embeddings'),
        field('topK', 'number', { default: 4 }),
      ],
    ),
    kind(
      'rerank',
      'Retrievers',
      ['Rerank', 'BaseRetriever'],
      [plug('baseRetriever', 'VectorStoreRetriever')],
    ),
    kind('startAgentflow', 'Agent Flows', ['Start'], []),
    kind('llmAgentflow', 'Agent Flows', ['LLM'], [field('prompt', 'string')]),
    kind('humanInputAgentflow', 'Agent Flows', ['HumanInput'], [], ['Proceed', 'Reject']),
  ].map((one) => [one.name, one]),
)
