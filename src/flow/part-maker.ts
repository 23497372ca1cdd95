import type { FlowContext, PartKind, PartKinds } from '../contract/card.ts'
import type { Chosen } from '../contract/step.ts'
import { SluiceError } from '../kit/errors.ts'
import { assemble } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import { type FlowNode, withCredential } from './graph.ts'

export type PartMaker = {
  /** Builds what a node within a node describes, with other such nodes plugged in by the names of its anchors. */
  make<K extends PartKind>(kind: K, chosen: Chosen, plugged?: Record<string, Chosen>): PartKinds[K]
  /** Whether there is such a node at all. @throws SluiceError `node_unknown`, `flow_invalid` */
  check(kind: PartKind, chosen: Chosen): void
}

/** Makes parts from the configurations within a node of an agent flow, as if they were drawn beside it. */
export function partMaker(node: FlowNode, catalog: Catalog, context: FlowContext): PartMaker {
  return {
    make(kind, chosen, plugged = {}) {
      const inner = Object.entries(plugged).map(
        ([anchor, part]) => [anchor, drawn(`${node.id}_${anchor}`, part)] as const,
      )
      const root = drawn(node.id, chosen)
      for (const [anchor, { id }] of inner) root.inputs[anchor] = `{{${id}.data.instance}}`
      const nodes = new Map([root, ...inner.map(([, part]) => part)].map((one) => [one.id, one]))
      return assemble(kind, root.id, nodes, catalog, context, { without: ['loader', 'splitter'] })
    },
    check(kind, { name }) {
      const card = catalog.get(name)
      if (!card) throw new SluiceError('node_unknown', { node: name })
      if (card.kind !== kind)
        throw new SluiceError('flow_invalid', {
          reason: `${card.label} cannot be used like this in ${node.label}`,
        })
    },
  }

  function drawn(id: string, { name, inputs }: Chosen): FlowNode {
    const label = catalog.get(name)?.label ?? name
    return { id, name, label: `${label} in ${node.label}`, category: '', inputs: withCredential({}, inputs) }
  }
}
