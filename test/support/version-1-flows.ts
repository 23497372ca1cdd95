import type { JsonObject } from '../../src/kit/json.ts'
import { reference } from './flow-drawing.ts'

/** Agent flows as Flowise exported them before version 2, in short. */

let column = 0

export const oldNode = (id: string, inputs: object = {}, outputs: string[] = []): JsonObject => ({
  id,
  type: 'customNode',
  position: { x: 400 * column++, y: 100 },
  data: {
    id,
    name: id.split('_')[0]!,
    label: id,
    category: 'Sequential Agents',
    inputs: inputs as JsonObject,
    outputAnchors: [
      { type: 'options', options: outputs.map((label) => ({ name: camel(label), label, id: label })) },
    ],
  },
})

/** An edge of the sequence; `output` is the label of an output of a condition. */
export const oldEdge = (source: string, target: string, output?: string): JsonObject => ({
  source,
  target,
  sourceHandle: output === undefined ? `${source}-output-x-X` : `${source}-output-${camel(output)}-Condition`,
  targetHandle: `${target}-input-sequentialNode-Start | Agent`,
})

const camel = (label: string) =>
  label.toLowerCase().replace(/\s+(\w)/g, (_, letter: string) => letter.toUpperCase())

/** A drawing: the nodes, and the sequence as pairs with the label of an output. */
export const oldFlow = (
  nodes: JsonObject[],
  edges: (readonly [from: string, to: string, output?: string])[],
): { nodes: JsonObject[]; edges: JsonObject[] } => ({ nodes, edges: edges.map((edge) => oldEdge(...edge)) })

export const startNode = (more: object = {}): JsonObject =>
  oldNode('seqStart_0', { model: reference('chatOpenAICustom_0'), ...more })

/** A chat model at an address. */
export const oldModel = (url: string): JsonObject =>
  oldNode('chatOpenAICustom_0', { modelName: 'scripted', basepath: `${url}/v1`, openAIApiKey: 'none' })

export const oldTable = (rows: object[]): string => JSON.stringify(rows)
