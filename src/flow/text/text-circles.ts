import { pluggedInto } from '../graph.ts'
import { allTextInputs, type FlowModel } from './flow-model.ts'

type Circle = { nodeId: string; input: string; message: string }

/**
 * One mistake for each circle of nodes that are plugged into each other, at the input that closes it.
 *
 * @param known a flow whose connections are no mistakes: they are there already
 */
export function circleMistakes({ nodes }: FlowModel, known: FlowModel | undefined): Circle[] {
  const found: Circle[] = []
  const done = new Set<string>()
  for (const start of nodes.keys()) {
    const path: { id: string; rest: { input: string; source: string }[] }[] = []
    const enter = (id: string) => path.push({ id, rest: sourcesOf(id, nodes) })
    if (!done.has(start)) enter(start)
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.pop()
      if (!next) {
        done.add(top.id)
        path.pop()
        continue
      }
      const at = path.findIndex(({ id }) => id === next.source)
      if (at >= 0) {
        const circle = [...path.slice(at).map(({ id }) => id), next.source].toReversed()
        const wasThere = sourcesOf(top.id, known?.nodes ?? new Map()).some(
          ({ input, source }) => input === next.input && source === next.source,
        )
        if (!wasThere)
          found.push({
            nodeId: top.id,
            input: next.input,
            message: `The nodes are plugged into each other in a circle: ${circle.join(' → ')}`,
          })
      } else if (!done.has(next.source) && nodes.has(next.source)) enter(next.source)
    }
  }
  return found
}

function sourcesOf(id: string, nodes: FlowModel['nodes']): { input: string; source: string }[] {
  const node = nodes.get(id)
  if (!node) return []
  return Object.entries(allTextInputs(node)).flatMap(([input, value]) =>
    pluggedInto(value).map((source) => ({ input, source })),
  )
}
