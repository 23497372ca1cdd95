import type { NodeCard } from '../../contract/card.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { drawAnchors, drawFacts, drawParams, initialValue } from '../draw-card.ts'
import type { FlowTemplate, PlacedNode } from './template.ts'

/** A drawing as Flowise's editor exports it, and the overrides that it allows. */
export type DrawnTemplate = { flowData: string; apiConfig: JsonObject; type: 'CHATFLOW' | 'AGENTFLOW' }

/** Draws a template with the cards of the catalog. */
export function drawTemplate(template: FlowTemplate, catalog: Catalog): DrawnTemplate {
  const { steps } = template
  const placed = Object.entries(template.nodes)
  const nodes = placed.map(([id, node]) => drawNode(id, node, catalog.get(node.name)!, steps !== undefined))
  const edges = placed.flatMap(([id, { inputs }]) =>
    Object.entries(inputs).flatMap(([anchor, value]) =>
      [value].flat().flatMap((reference) => drawEdge(template, { id, anchor }, reference, catalog)),
    ),
  )
  return {
    flowData: JSON.stringify({
      nodes,
      edges: [...edges, ...drawSteps(template)],
      viewport: { x: 0, y: 0, zoom: 1 },
    }),
    apiConfig: { overrideConfig: { status: true, nodes: overrideNodes(template, catalog) } },
    type: steps ? 'AGENTFLOW' : 'CHATFLOW',
  }
}

/** A node of a drawing as Flowise's editor has it; inputs that are not given have the values of a new node. */
export function drawNode(
  id: string,
  { x, y, inputs }: Omit<PlacedNode, 'name'>,
  card: NodeCard,
  isStep: boolean,
): JsonObject {
  const initial = Object.entries(card.fields).map(([input, field]) => [input, initialValue(field)])
  return {
    id,
    type: isStep ? 'agentFlow' : 'customNode',
    position: { x, y },
    data: {
      id,
      ...drawFacts(card),
      inputParams: drawParams(card, id),
      inputAnchors: drawAnchors(card, id),
      inputs: { ...Object.fromEntries(initial), ...inputs },
      outputAnchors: [
        {
          id: isStep ? stepOutput(id, card.name) : outputOf(id, card),
          name: card.name,
          label: card.type,
          type: card.baseClasses.join(' | '),
        },
      ],
      outputs: {},
      selected: false,
    },
  }
}

const outputOf = (id: string, card: NodeCard) => `${id}-output-${card.name}-${card.baseClasses.join('|')}`

const stepOutput = (id: string, name: string) => `${id}-output-${name}`

function drawEdge(
  { nodes }: FlowTemplate,
  { id: target, anchor }: { id: string; anchor: string },
  reference: Json,
  catalog: Catalog,
): JsonObject[] {
  const source =
    typeof reference === 'string' ? /^\{\{(\w+)\.data\.instance\}\}$/.exec(reference)?.[1] : undefined
  if (source === undefined) return []
  const from = { id: source, card: catalog.get(nodes[source]!.name)! }
  return [edgeBetween(from, { id: target, card: catalog.get(nodes[target]!.name)!, anchor })]
}

/** The edge of a node that plugs into an anchor of another one. */
export function edgeBetween(
  { id: source, card }: { id: string; card: NodeCard },
  { id: target, card: into, anchor }: { id: string; card: NodeCard; anchor: string },
): JsonObject {
  const sourceHandle = outputOf(source, card)
  const targetHandle = `${target}-input-${anchor}-${into.anchors[anchor]!.type}`
  return {
    source,
    sourceHandle,
    target,
    targetHandle,
    type: 'buttonedge',
    id: `${source}-${sourceHandle}-${target}-${targetHandle}`,
    data: { label: '' },
  }
}

function drawSteps({ nodes, steps = [] }: FlowTemplate): JsonObject[] {
  return steps.slice(1).map((target, at) => {
    const source = steps[at]!
    const sourceHandle = stepOutput(source, nodes[source]!.name)
    return {
      source,
      sourceHandle,
      target,
      targetHandle: target,
      type: 'agentFlow',
      id: `${source}-${sourceHandle}-${target}-${target}`,
      data: {},
    }
  })
}

function overrideNodes({ nodes, overridable = {} }: FlowTemplate, catalog: Catalog): JsonObject {
  return Object.fromEntries(
    Object.entries(overridable).map(([id, names]) => [
      catalog.get(nodes[id]!.name)!.label,
      names.map((name) => ({ label: name, name, type: 'string', enabled: true })),
    ]),
  )
}
