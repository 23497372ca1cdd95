import type { NodeInputAnswer, NodeKindAnswer } from '../../src/api/node.ts'
import { type FileNode, isObject, type JsonObject, textOf } from './flow-file.ts'

/** What the server knows of each node kind (`GET /api/v1/nodes`), by name. */
export type NodeKinds = ReadonlyMap<string, NodeKindAnswer>
export type NodeInput = NodeInputAnswer

export const AGENT_FLOWS = 'Agent Flows'
export const VECTOR_STORES = 'Vector Stores'

/** Types of inputs that are filled in; an input of any other type is a plug for another node. */
const FIELD_TYPES = new Set([
  ...['string', 'number', 'boolean', 'options', 'multiOptions', 'asyncOptions', 'asyncMultiOptions'],
  ...['json', 'code', 'array', 'credential', 'file', 'folder', 'password', 'datagrid', 'tabs'],
  ...['date', 'conditionFunction', 'timePicker', 'weekDaysPicker', 'monthDaysPicker', 'datePicker'],
])

export const isPlug = (input: NodeInput): boolean => !FIELD_TYPES.has(input.type)

/**
 * The kind of a node: the server's, or for a kind that this server does not have, what the file itself says of it.
 */
export function kindOf(node: FileNode, kinds: NodeKinds): { kind: NodeKindAnswer; known: boolean } {
  const known = kinds.get(textOf(node.data.name))
  if (known) return { kind: known, known: true }
  const { data } = node
  const name = textOf(data.name) || 'node'
  return {
    known: false,
    kind: {
      name,
      part: '',
      label: textOf(data.label) || name,
      version: typeof data.version === 'number' ? data.version : 1,
      type: textOf(data.type) || name,
      category: textOf(data.category),
      icon: 'circle-help',
      colour: 'slate',
      baseClasses: Array.isArray(data.baseClasses) ? data.baseClasses.map((part) => String(part)) : [],
      description: textOf(data.description),
      inputs: [...declaredInputs(data, 'inputAnchors'), ...declaredInputs(data, 'inputParams')],
      outputs: [{ label: isStep(node) ? 'Next' : textOf(data.type) || name }],
    },
  }
}

function declaredInputs(data: JsonObject, list: 'inputAnchors' | 'inputParams'): NodeInput[] {
  const inputs = data[list]
  return (Array.isArray(inputs) ? inputs : []).filter(isObject).map((input) => ({
    ...input,
    name: textOf(input.name),
    label: textOf(input.label) || textOf(input.name),
    // The types of options in old exports may be missing.
    type: textOf(input.type) || 'string',
    optional: input.optional === true,
    additionalParams: input.additionalParams === true,
    list: input.list === true,
    ...(Array.isArray(input.options)
      ? {
          options: input.options.filter(isObject).map((option) => ({
            label: textOf(option.label) || textOf(option.name),
            name: textOf(option.name),
          })),
        }
      : {}),
  })) as NodeInput[]
}

/** Whether a node is a step of an agent flow: such nodes run one after another. */
export const isStep = (node: FileNode): boolean =>
  node.type === 'agentFlow' || node.type === 'iteration' || node.data.category === AGENT_FLOWS
