import { z } from 'zod'
import { drawAnchors, drawFacts, drawParams } from '../../flow/draw-card.ts'
import { readGraph } from '../../flow/graph.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

const node = z.looseObject({ name: z.string(), label: z.string(), category: z.string() })

/** What is in the box, and what of a flow a request may override. */
export function nodeRoutes({ catalog, flows }: Platform): Route[] {
  const shared = { tag: 'management', access: 'manage' } as const
  return [
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/nodes',
      summary: 'Every node there is, with its inputs',
      answer: { description: 'The nodes', shape: z.array(node) },
      handle: async () =>
        [...catalog.values()].map((card) => ({
          ...drawFacts(card),
          inputs: [...drawAnchors(card), ...drawParams(card)],
        })),
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/nodes/:name',
      summary: 'One node',
      params: z.object({ name: z.string() }),
      answer: { description: 'The node', shape: node },
      async handle({ params: { name } }) {
        const card = catalog.get(name)
        if (!card) throw new SluiceError('node_not_found', { name })
        return { ...drawFacts(card), inputs: [...drawAnchors(card), ...drawParams(card)] }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      url: '/api/v1/flow-config/:id',
      summary:
        'The inputs of a flow that its configuration can open to requests; every file input is named files',
      params: z.object({ id: z.string() }),
      answer: {
        description: 'The inputs, node by node',
        shape: z.array(
          z.object({
            node: z.string(),
            nodeId: z.string(),
            label: z.string(),
            name: z.string(),
            type: z.string(),
          }),
        ),
      },
      async handle({ params: { id } }) {
        const flow = await flows.find(id)
        if (!flow) throw new SluiceError('flow_not_found', { flow: id })
        return [...readGraph(flow.flowData).nodes.values()].flatMap((node) =>
          Object.entries(catalog.get(node.name)?.fields ?? {}).map(([name, field]) => ({
            node: node.label,
            nodeId: node.id,
            label: field.label,
            name: field.type === 'file' ? 'files' : name,
            type: field.type,
          })),
        )
      },
    }),
  ]
}
