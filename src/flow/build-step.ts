import type { FlowContext, PartKind, PartKinds } from '../contract/card.ts'
import type { ChosenNode, StepPart } from '../contract/step.ts'
import { SluiceError } from '../kit/errors.ts'
import type { PlanContext } from './apply-request.ts'
import { assemble } from './assemble.ts'
import type { Catalog } from './catalog.ts'
import { filledStep } from './fill-step.ts'
import { type FlowNode, withCredential } from './graph.ts'
import type { VariableScope } from './variables.ts'

export type PartMaker = {
  /** Builds a part that is configured within the node, with other such parts plugged into its anchors. */
  make<K extends PartKind>(kind: K, chosen: ChosenNode, plugged?: Record<string, ChosenNode>): PartKinds[K]
  /** Checks that such a part exists and is of the kind. @throws SluiceError `node_unknown`, `flow_invalid` */
  check(kind: PartKind, chosen: ChosenNode): void
}

/**
 * Builds a node of an agent flow with its texts filled in.
 *
 * @returns the step, and what builds the parts that are configured within the node
 * @throws SluiceError as `assemble` does
 */
export function buildStep(
  { catalog, nodeServices }: PlanContext,
  flow: Pick<FlowContext, 'flowId' | 'typedAddresses'>,
  node: FlowNode,
  scope: VariableScope,
): { step: StepPart; parts: PartMaker } {
  const context = { ...nodeServices, ...flow }
  const nodes = new Map([[node.id, filledStep(node, catalog, scope)]])
  return {
    step: assemble('step', node.id, nodes, catalog, context),
    parts: partMaker(node, catalog, context),
  }
}

/** Builds parts from the configurations within a node, as if they were nodes of their own. */
function partMaker(node: FlowNode, catalog: Catalog, context: FlowContext): PartMaker {
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

  function drawn(id: string, { name, inputs }: ChosenNode): FlowNode {
    const label = catalog.get(name)?.label ?? name
    return { id, name, label: `${label} in ${node.label}`, category: '', inputs: withCredential({}, inputs) }
  }
}
