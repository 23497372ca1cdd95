import type { NodeKindAnswer } from '../../src/api/node.ts'
import { type FileNode, type FlowFile, type Json, nodesOf, type Point } from './flow-file.ts'
import { AGENT_FLOWS, isPlug } from './node-kinds.ts'

/** An id that no node of the file has: `textFile_0`, `textFile_1` … */
export function freeNodeId(file: FlowFile, name: string, taken: ReadonlySet<string> = new Set()): string {
  const ids = new Set(nodesOf(file).map(({ id }) => id))
  for (let count = 0; ; count++) {
    const id = `${name}_${count}`
    if (!ids.has(id) && !taken.has(id)) return id
  }
}

/** A node as Flowise's editor would write it, with the values that its kind begins with. */
export function newNode(kind: NodeKindAnswer, id: string, position: Point): FileNode {
  const { inputs: declared, ...facts } = kind
  const step = kind.category === AGENT_FLOWS
  const withId = (input: (typeof declared)[number]) => ({
    id: `${id}-input-${input.name}-${input.type}`,
    ...input,
  })
  return {
    id,
    type: kind.name === 'iterationAgentflow' ? 'iteration' : step ? 'agentFlow' : 'customNode',
    position,
    ...(kind.name === 'iterationAgentflow' ? { width: 420, height: 260 } : {}),
    data: {
      id,
      ...facts,
      inputParams: declared.filter((input) => !isPlug(input)).map(withId) as Json[],
      inputAnchors: declared.filter(isPlug).map(withId) as Json[],
      inputs: Object.fromEntries(
        declared.map((input) => [
          input.name,
          isPlug(input) && input.list ? [] : ((input.initial ?? input.default ?? '') as Json),
        ]),
      ),
      outputAnchors: [
        {
          id: step ? `${id}-output-${kind.name}` : outputHandle(id, kind),
          name: kind.name,
          label: kind.type,
          type: kind.baseClasses.join(' | '),
        },
      ],
      outputs: {},
      selected: false,
    },
  } as FileNode
}

export const outputHandle = (id: string, kind: NodeKindAnswer): string =>
  `${id}-output-${kind.name}-${kind.baseClasses.join('|')}`
