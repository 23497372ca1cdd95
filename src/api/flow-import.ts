import { z } from 'zod'
import { savedFlow } from './flow.ts'
import { jsonObject, jsonValue } from './json.ts'

/** A node of an imported flow; with `within` the part inside that input of the node. */
const place = z.object({
  nodeId: z.string(),
  label: z.string(),
  name: z.string(),
  within: z.string().optional(),
})

/** An input that was left out of an export. */
const leftOut = z.object({ node: z.string(), input: z.string() })

/** What an imported flow still needs, and what of it has no effect. */
const importReport = z.object({
  supported: z.boolean(),
  nodes: z.number().int(),
  replaced: z.array(place.extend({ by: z.string() })),
  unsupported: z.array(place),
  missing: z.array(
    place.extend({ input: z.string(), what: z.enum(['flow', 'file', 'module']), named: z.string() }),
  ),
  credentials: z.array(place.extend({ input: z.string(), kinds: z.array(z.string()) })),
  files: z.array(place.extend({ input: z.string(), accepts: z.string() })),
  defaulted: z.array(place.extend({ input: z.string(), reason: z.string(), value: jsonValue })),
  leftOut: z.array(leftOut),
  experimental: z.array(place),
  ignored: z.array(place.extend({ input: z.string() })),
  settings: z
    .object({
      kept: z.boolean(),
      overrides: z.array(z.string()),
      rateLimit: z.string(),
      chatWindow: z.boolean(),
      allowedOrigins: z.array(z.string()),
    })
    .optional(),
  access: z.object({
    state: z.enum(['open', 'key', 'closed']),
    key: z.object({ id: z.string(), name: z.string() }).nullable(),
    notes: z.array(z.string()),
  }),
})

const importedFlow = z.object({ flow: savedFlow, report: importReport })
export type ImportedFlow = z.output<typeof importedFlow>

/** A flow as a file: a drawing, which may have further members of the editor, and the settings of the flow under `sluice`. */
export const exportedFlow = z.object({
  file: z.looseObject({
    nodes: z.array(jsonObject),
    edges: z.array(jsonObject).optional(),
    sluice: z.object({
      version: z.literal(1),
      name: z.string(),
      type: z.string(),
      apiConfig: jsonObject.nullable(),
      chatbotConfig: jsonObject.nullable(),
      category: z.string().nullable(),
      access: z.enum(['open', 'key']),
      leftOut: z.array(leftOut),
    }),
  }),
  leftOut: z.array(leftOut),
})

const objects = { type: 'array', items: { type: 'object', additionalProperties: true } }

const flowsOf = (kind: string) => ({
  ...objects,
  description: `In the export of a whole Flowise instance: ${kind}, as rows with flowData`,
  examples: [[{ name: 'Handbook', flowData: '{"nodes":[],"edges":[]}' }]],
})

/**
 * An export: a drawing (`nodes`, `edges`), a flow with its `flowData`, or the lists of a whole instance. Only that it is
 * an object is checked here: what is no export of a flow is refused with the reason when it is read.
 */
export const importBody = jsonObject.meta({
  type: 'object',
  properties: {
    nodes: { ...objects, description: 'The nodes of a drawing' },
    edges: objects,
    flowData: { type: ['string', 'object'], additionalProperties: true },
    sluice: { type: 'object', additionalProperties: true },
    ChatFlow: flowsOf('chat flows'),
    AgentFlowV2: flowsOf('agent flows'),
    AgentFlow: flowsOf('agent flows of the first version'),
    AssistantFlow: flowsOf('assistants'),
  },
  additionalProperties: true,
})

export const importQuery = z.object({
  name: z.string().trim().min(1).max(200).optional(),
  keepSettings: z.enum(['true', 'false']).optional(),
  key: z.string().min(1).optional(),
})

/** The imported flow, or the first of several; `imported` has all of them. */
export const importAnswer = importedFlow.extend({ imported: z.array(importedFlow) })
export type ImportAnswer = z.output<typeof importAnswer>
