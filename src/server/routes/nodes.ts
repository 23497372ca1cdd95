import { choiceList, flowInputList, loadMethodBody, nodeList, nodeShape } from '../../api/node.ts'
import { idParams, nameParams } from '../../api/params.ts'
import { readValues } from '../../flow/assemble.ts'
import { credentialKindsOf } from '../../flow/credentials.ts'
import { readGraph } from '../../flow/graph.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { describeKind } from '../../nodes/describe-kind.ts'
import { MANAGEMENT } from '../management.ts'
import { ifNoneMatch } from '../../api/if-none-match.ts'
import { sendTagged, type TaggedText, taggedJson } from '../entity-tag.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { findFlow } from '../../flow/find-flow.ts'

/** The types of nodes, and the inputs of a flow that requests may override. */
export function nodeRoutes({ catalog, flows, nodeServices }: Platform): Route[] {
  /** Made at the first request: the types do not change while the server runs. */
  let list: TaggedText | undefined
  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/nodes',
      // What this version can do: nothing of it was entered here.
      access: 'key',
      pinned: 'harmless',
      summary: 'All types of nodes with their inputs; with an ETag, as they change with the version alone',
      headers: ifNoneMatch,
      answer: { description: 'The node types', shape: nodeList },
      also: [{ status: 304, description: 'The client has them: If-None-Match names their ETag' }],
      async handle({ request, reply }) {
        list ??= taggedJson([...catalog.values()].map(describeKind))
        return sendTagged(request, reply, list)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/nodes/:name',
      access: 'key',
      pinned: 'harmless',
      summary: 'One type of node',
      params: nameParams,
      answer: { description: 'The node type', shape: nodeShape },
      async handle({ params: { name } }) {
        const card = catalog.get(name)
        if (!card) throw new SluiceError('node_not_found', { name })
        return describeKind(card)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: '/api/v1/node-load-method/:name',
      summary: 'The choices of an input that depend on other inputs, such as the endpoints of an API',
      params: nameParams,
      body: loadMethodBody,
      answer: {
        description: 'The choices',
        shape: choiceList,
      },
      async handle({ params: { name }, body: { loadMethod, inputs = {} } }) {
        const card = catalog.get(name)
        if (!card) throw new SluiceError('node_not_found', { name })
        const list = Object.hasOwn(card.lists ?? {}, loadMethod) ? card.lists![loadMethod] : undefined
        if (!list) throw new SluiceError('body_invalid', { reason: `${name} has no list ${loadMethod}` })
        const { label, category } = card
        const values = readValues(card, { id: name, name, label, category, inputs })
        try {
          const kinds = credentialKindsOf(card)
          const credential = (id: string) => nodeServices.credential(id, kinds)
          return await list(values, { ...nodeServices, credential, flowId: name, nodeId: name })
        } catch (error) {
          if (error instanceof SluiceError) throw error
          throw new SluiceError('input_invalid', { node: label, input: loadMethod, reason: reasonOf(error) })
        }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/flow-config/:id',
      summary:
        'The inputs of a flow that its configuration can open to requests; every file input is named files',
      params: idParams,
      answer: {
        description: 'The inputs, node by node',
        shape: flowInputList,
      },
      async handle({ params: { id } }) {
        const flow = await findFlow(flows, id)
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
