import type { FieldDocs } from './field-doc.ts'

/** Node types, their inputs and the choices of an input. */
export const nodeFields: FieldDocs = {
  'If-None-Match': [
    'The ETag of an earlier answer: 304 without a body while the types are the same',
    'W/"7d0c5e…"',
  ],
  'path.name': ['The name of the node type', 'builtInVectorStore'],
  badge: [
    'EXPERIMENTAL where no test has met the product that the node talks to; else absent',
    'EXPERIMENTAL',
  ],
  baseClasses: ['The classes that decide which inputs the node can connect to', ['VectorStore']],
  inputs: ['The values of the inputs by name, as far as they are known', { inputType: 'link' }],
  'answer.inputs': ['The inputs of the node', [{ name: 'topK', label: 'Top K', type: 'number' }]],
  'inputs.name': ['The name of the input in flow files', 'chunkSize'],
  'inputs.type': ['The type of the value', 'number'],
  fileType: ['The file name extensions that a file input takes', '.pdf'],
  options: ['The possible values', [{ label: 'hybrid', name: 'hybrid' }]],
  default: ['The value if none is set', 1000],
  initial: ['The value that a new node begins with; absent where that is the default', 'incremental'],
  optional: ['Whether the input may be empty', true],
  additionalParams: ['Whether an editor hides the input at first', false],
  list: ['Whether several nodes can be connected', false],
  node: ['The label of the node', 'Recursive Character Text Splitter'],
  part: ['The kind of part that the node is: loader, splitter, vectorStore, chatModel …', 'splitter'],
  min: ['The smallest accepted number', 1],
  max: ['The largest accepted number', 1000],
  whole: ['Whether only whole numbers are accepted', true],
  unit: ['The unit of the number', 'tokens'],
  main: ['Whether the input is shown on the node in a drawing', true],
  rows: ['The height of the text input; absent for a text of one line', 4],
  language: ['The language of the code', 'javascript'],
  show: [
    'The input is shown only while each of these inputs has one of the values',
    { agentEnableMemory: [true] },
  ],
  selects: ['The input is the name of a node type of this kind', 'chatModel'],
  config: ['The input that holds the inputs of the selected node type', 'agentModelConfig'],
  acceptVariable: ['Whether variables may stand in the text: {{$vars.city}}', true],
  hidden: ['An older name of another input: read, but not shown', true],
  guard: ['The input needs a permission of its own to be overridden by requests', 'url'],
  array: ['The columns of each row of the list', []],
  nodeId: ['The id of the node', 'recursiveCharacterTextSplitter_0'],
  input: ['The name of the input', 'chunkSize'],

  // choices
  loadMethod: ['The name of the list that the input offers', 'listEndpoints'],
  tokens: ['The approximate number of tokens that its description adds to a request to a model', 120],
  notes: ['Parts of the API description that have no effect here', []],
  refused: ['Why the operation cannot be called', 'its path is not valid'],
}
