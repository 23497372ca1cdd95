import type { FieldDocs } from './field-doc.ts'

/** Node types, their inputs and the choices of an input. */
export const nodeFields: FieldDocs = {
  'path.name': ['The name of the node type', 'builtInVectorStore'],
  baseClasses: ['The classes that decide which inputs the node can connect to', ['VectorStore']],
  inputs: ['The values of the inputs by name, as far as they are known', { inputType: 'link' }],
  'answer.inputs': ['The inputs of the node', [{ name: 'topK', label: 'Top K', type: 'number' }]],
  'inputs.name': ['The name of the input in flow files', 'chunkSize'],
  'inputs.type': ['The type of the value', 'number'],
  fileType: ['The file name extensions that a file input takes', '.pdf'],
  options: ['The possible values', [{ label: 'hybrid', name: 'hybrid' }]],
  default: ['The value if none is set', 1000],
  optional: ['Whether the input may be empty', true],
  additionalParams: ['Whether an editor hides the input at first', false],
  list: ['Whether several nodes can be connected', false],
  node: ['The label of the node', 'Recursive Character Text Splitter'],
  nodeId: ['The id of the node', 'recursiveCharacterTextSplitter_0'],
  input: ['The name of the input', 'chunkSize'],

  // choices
  loadMethod: ['The name of the list that the input offers', 'listEndpoints'],
  tokens: ['The approximate number of tokens that its description adds to a request to a model', 120],
  notes: ['Parts of the API description that have no effect here', []],
  refused: ['Why the operation cannot be called', 'its path is not valid'],
}
