import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { count, jsonValue } from './json.ts'

/** What a form needs of an input, and of a column of a list. */
const formInput = {
  name: z.string().register(docs, doc('The name of the input in flow files', 'chunkSize')),
  label: z.string().register(docs, common.inputLabel),
  type: z.string().register(docs, common.valueType),
  description: z
    .string()
    .optional()
    .register(docs, doc('What the input is for', 'The most characters of a chunk')),
  options: z
    .array(
      z.object({
        label: z.string().register(docs, doc('The possible value as an editor shows it', 'hybrid')),
        name: z.string().register(docs, doc('The possible value', 'hybrid')),
      }),
    )
    .optional()
    .register(docs, doc('The possible values', [{ label: 'hybrid', name: 'hybrid' }])),
  default: jsonValue.optional().register(docs, doc('The value if none is set', 1000)),
  initial: jsonValue
    .optional()
    .register(
      docs,
      doc('The value that a new node begins with; absent where that is the default', 'incremental'),
    ),
  min: z.number().optional().register(docs, doc('The smallest accepted number', 1)),
  max: z.number().optional().register(docs, doc('The largest accepted number', 1000)),
  whole: z.boolean().optional().register(docs, doc('Whether only whole numbers are accepted')),
  unit: z.string().optional().register(docs, doc('The unit of the number', 'tokens')),
  main: z.boolean().optional().register(docs, doc('Whether the input is shown on the node in a drawing')),
  rows: count
    .optional()
    .register(docs, doc('The height of the text input; absent for a text of one line', 4)),
  language: z.string().optional().register(docs, doc('The language of the code', 'javascript')),
  show: z
    .record(z.string(), z.array(z.union([z.string(), z.boolean()])))
    .optional()
    .register(
      docs,
      doc('The input is shown only while each of these inputs has one of the values', {
        agentEnableMemory: [true],
      }),
    ),
  loadMethod: z
    .string()
    .optional()
    .register(docs, doc('The name of the list that the input offers', 'listEndpoints')),
  selects: z
    .enum(['chatModel', 'tools', 'vectorStore', 'embedder'])
    .optional()
    .register(docs, doc('The input is the name of a node type of this kind', 'chatModel')),
  config: z
    .string()
    .optional()
    .register(docs, doc('The input that holds the inputs of the selected node type', 'agentModelConfig')),
  hidden: z.boolean().optional().register(docs, doc('An older name of another input: read, but not shown')),
  acceptVariable: z
    .boolean()
    .optional()
    .register(docs, doc('Whether variables may stand in the text: {{$vars.city}}')),
  guard: z
    .enum(['credential', 'url', 'path', 'table'])
    .optional()
    .register(docs, doc('The input needs a permission of its own to be overridden by requests', 'url')),
}

/** A column may be a list itself. */
const column = z.object({
  ...formInput,
  array: z
    .array(z.object(formInput))
    .optional()
    .register(docs, doc('The columns of each row, for a column that is a list of rows itself', [])),
})

/** An input of a node: a value, or a connection to another node. */
const input = z.object({
  ...formInput,
  fileType: z
    .string()
    .optional()
    .register(docs, doc('The file name extensions that a file input takes', '.pdf')),
  optional: z.boolean().register(docs, doc('Whether the input may be empty')),
  additionalParams: z
    .boolean()
    .optional()
    .register(docs, doc('Whether an editor hides the input at first', false)),
  list: z.boolean().optional().register(docs, doc('Whether several nodes can be connected', false)),
  array: z
    .array(column)
    .optional()
    .register(docs, doc('The columns of each row, for an input that is a list of rows', [])),
})

/** A way out of a node; with `each`, one for each row of that input. */
const output = z.object({
  label: z.string().register(docs, doc('The name of the way out', 'Next')),
  each: z
    .string()
    .optional()
    .register(docs, doc('The input with a way out for each of its rows', 'conditions')),
  column: z
    .string()
    .optional()
    .register(docs, doc('The column of a row that names its way out; its number if absent', 'scenario')),
})
export type NodeOutputAnswer = z.output<typeof output>

/** A kind of node, with what an editor of flows needs. */
export const nodeShape = z.object({
  name: z.string().register(docs, doc('The name of the node type in flow files', 'builtInVectorStore')),
  part: z
    .string()
    .register(
      docs,
      doc('The kind of part that the node is: loader, splitter, vectorStore, chatModel …', 'splitter'),
    ),
  label: z
    .string()
    .register(docs, doc('The name of the node type as an editor shows it', 'Built-in Vector Store')),
  version: z.number().register(docs, doc('The version of the node type in flow files', 1)),
  type: z.string().register(docs, doc('The type of the node in flow files', 'BuiltInVectorStore')),
  category: z.string().register(docs, doc('The group in which an editor lists it', 'Vector Stores')),
  icon: z.string().register(docs, doc('The name of a Lucide icon for the node', 'database')),
  colour: z.string().register(docs, doc('The colour of the icon in an editor', 'green')),
  baseClasses: z
    .array(z.string())
    .register(docs, doc('The classes that decide which inputs the node can connect to', ['VectorStore'])),
  description: z
    .string()
    .register(docs, doc('A short description', 'Stores chunks in the database of this server')),
  badge: z
    .literal('EXPERIMENTAL')
    .optional()
    .register(
      docs,
      doc(
        'EXPERIMENTAL where no test has met the product that the node talks to; else absent',
        'EXPERIMENTAL',
      ),
    ),
  inputs: z
    .array(input)
    .register(docs, doc('The inputs of the node type', [{ name: 'topK', label: 'Top K', type: 'number' }])),
  outputs: z.array(output).register(docs, doc('The ways out of the node', [{ label: 'Next' }])),
})
export type NodeKindAnswer = z.output<typeof nodeShape>
export type NodeInputAnswer = z.output<typeof input>

/** A choice of an input that depends on other inputs. */
export const choice = z.object({
  label: z.string().register(docs, doc('The name of the choice as an editor shows it', 'GET /events')),
  name: z.string().register(docs, doc('The value of the input for this choice', 'listEvents')),
  description: z.string().optional().register(docs, doc('What the choice is', 'Lists all events')),
  tokens: z
    .number()
    .optional()
    .register(
      docs,
      doc('The approximate number of tokens that its description adds to a request to a model', 120),
    ),
  notes: z
    .array(z.string())
    .optional()
    .register(docs, doc('Parts of the API description that have no effect here', [])),
  refused: z
    .string()
    .optional()
    .register(docs, doc('Why the operation cannot be called', 'its path is not valid')),
})
export const choiceList = z.array(choice)
export type NodeChoiceAnswer = z.output<typeof choice>
export const nodeList = z.array(nodeShape)

/** The name of a list of choices, and the inputs that it depends on. */
export const loadMethodBody = z.looseObject({
  loadMethod: z
    .string()
    .register(docs, doc('The name of the list, as loadMethod of the input says', 'listEndpoints')),
  inputs: z
    .record(z.string(), z.unknown())
    .optional()
    .register(docs, doc('The values of the inputs by name, as far as they are known', { inputType: 'link' })),
})

/** The inputs of a flow that requests may override, where the configuration of the flow allows it. */
export const flowInputList = z.array(
  z.object({
    node: z
      .string()
      .register(docs, doc('The label of the node in the drawing', 'Recursive Character Text Splitter')),
    nodeId: z
      .string()
      .register(docs, doc('The id of the node in the drawing', 'recursiveCharacterTextSplitter_0')),
    label: z.string().register(docs, common.inputLabel),
    name: z
      .string()
      .register(docs, doc('The name of the input; files for every input of files', 'chunkSize')),
    type: z.string().register(docs, common.valueType),
  }),
)
