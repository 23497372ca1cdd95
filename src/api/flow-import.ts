import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { savedFlow } from './flow.ts'
import { jsonObject, jsonValue } from './json.ts'
import { reportRows, runsShape } from './flow-report.ts'

/** A node of an imported flow; with `within` the part inside that input of the node. */
const place = z.object({
  nodeId: z.string().register(docs, common.nodeId),
  label: z.string().register(docs, common.nodeLabel),
  name: z.string().register(docs, doc('The name of the node type in the export', 'pdfFile')),
  within: z
    .string()
    .optional()
    .register(
      docs,
      doc('The input that holds the part of the node; absent for the node itself', 'agentModel'),
    ),
  path: z
    .string()
    .optional()
    .register(docs, doc('Where that input is within the node', 'agentTools[0].agentSelectedTool')),
})

/** An input that was left out of an export. */
const leftOut = z.object({
  node: z.string().register(docs, doc('The label of the node in the drawing', 'OpenAPI Toolkit')),
  input: z.string().register(docs, doc('The name of the input', 'headers')),
})

/** What an imported flow still needs, and what of it has no effect. */
const importReport = z.object({
  runs: runsShape,
  rows: reportRows,
  supported: z
    .boolean()
    .register(docs, doc('Whether the flow can run: this server has every node, and nothing is missing')),
  nodes: z.number().int().register(docs, common.nodeCount),
  replaced: z
    .array(
      place.extend({
        by: z.string().register(docs, doc('The name of the node on this server', 'builtInVectorStore')),
        differs: z
          .array(z.string())
          .register(
            docs,
            doc('What is different or is not kept, a sentence each', ['Its chunks are kept on this server']),
          ),
      }),
    )
    .register(docs, doc('Nodes that were replaced by a node of this server with another name', [])),
  needless: z
    .array(
      place.extend({
        what: z
          .string()
          .register(
            docs,
            doc('What is lost with it', 'Answers of the model are not cached: each question is asked'),
          ),
      }),
    )
    .register(docs, doc('Nodes that were left out, because this server does without them', [])),
  unsupported: z.array(place).register(docs, doc('Nodes that this server does not have', [])),
  missing: z
    .array(
      place.extend({
        input: z.string().register(docs, doc('The name of the input', 'selectedFlow')),
        what: z
          .enum(['flow', 'document store', 'file', 'module', 'value'])
          .register(
            docs,
            doc(
              'The kind of the missing thing: a flow, a file, a module of code, or a value that was left empty',
              'file',
            ),
          ),
        named: z
          .string()
          .register(
            docs,
            doc('Its name in the input; empty where the input is empty but needs a value', 'openapi.json'),
          ),
      }),
    )
    .register(docs, doc('Flows, files and modules that inputs refer to and this server does not have', [])),
  credentials: z
    .array(
      place.extend({
        input: z.string().register(docs, doc('The name of the input', 'credential')),
        kinds: z
          .array(z.string())
          .register(docs, doc('The kinds of credential that the input can use', ['openAIApi'])),
      }),
    )
    .register(docs, doc('Inputs that still need a credential, with the kinds that they can use', [])),
  files: z
    .array(
      place.extend({
        input: z.string().register(docs, doc('The name of the input', 'file')),
        accepts: z.string().register(docs, doc('The file name extensions that the input takes', '.pdf')),
      }),
    )
    .register(docs, doc('Inputs for documents that hold none; an upload with a request is enough', [])),
  defaulted: z
    .array(
      place.extend({
        input: z.string().register(docs, doc('The name of the input', 'chunkSize')),
        reason: z.string().register(docs, doc('Why the value cannot be read', 'expected a number')),
        value: jsonValue.meta(doc('The default', 1000)),
      }),
    )
    .register(docs, doc('Inputs that got their default because their value cannot be read', [])),
  leftOut: z.array(leftOut).register(docs, doc('Inputs that the file does not hold, as its export says', [])),
  experimental: z
    .array(place)
    .register(docs, doc('Nodes that were never tested with the product that they talk to', [])),
  ignored: z
    .array(place.extend({ input: z.string().register(docs, doc('The name of the input', 'chunkSize')) }))
    .register(docs, doc('Inputs with a value that the node of this server does not have', [])),
  settings: z
    .object({
      kept: z.boolean().register(docs, doc('Whether the new flow has these settings')),
      overrides: z
        .array(z.string())
        .register(docs, doc('The inputs that requests may override; files means uploads', ['files'])),
      rateLimit: z
        .string()
        .register(docs, doc('The most requests of one caller: requests/seconds, or off', '60/60')),
      chatWindow: z.boolean().register(docs, doc('Whether the file has settings of the chat window', false)),
      allowedOrigins: z
        .array(z.string())
        .register(docs, doc('The pages that may call the flow; empty for all', ['https://example.com'])),
    })
    .optional()
    .register(
      docs,
      doc('The overrides, limits and chat window in the file; absent if it has none', {
        kept: true,
        overrides: ['files'],
        rateLimit: 'off',
        chatWindow: false,
      }),
    ),
  access: z
    .object({
      state: z.enum(['open', 'key', 'closed']).register(docs, doc('open, key or closed', 'closed')),
      key: z
        .object({
          id: z.string().register(docs, common.keyId),
          name: z.string().register(docs, doc('The name of the key', 'website')),
        })
        .nullable()
        .register(docs, doc('The bound key; null if there is none', null)),
      notes: z
        .array(z.string())
        .register(
          docs,
          doc('Sentences about the key: what it may not do, and which other flows it opens', []),
        ),
    })
    .register(
      docs,
      doc(
        'Who may call the new flow: all (open), callers with a key (key), or nobody but managers until a key is bound (closed)',
        { state: 'closed', key: null, notes: [] },
      ),
    ),
})

const importedFlow = z.object({
  flow: savedFlow.meta(
    doc('The flow as it is stored', { id: EXAMPLE_ID, slug: 'handbook', name: 'Handbook' }),
  ),
  report: importReport.meta(
    doc('The nodes that were replaced or are not supported, and what is still missing', {
      supported: true,
      nodes: 4,
    }),
  ),
})
export type ImportedFlow = z.output<typeof importedFlow>

/** A flow as a file: a drawing, which may have further members of the editor, and the settings of the flow under `sluice`. */
export const exportedFlow = z.object({
  file: z
    .looseObject({
      nodes: z.array(jsonObject).register(docs, doc('The nodes of the drawing, as the editor has them', [])),
      edges: z.array(jsonObject).optional().register(docs, doc('The connections between the nodes', [])),
      sluice: z
        .object({
          version: z.literal(1).register(docs, doc('The version of the file format')),
          name: z.string().register(docs, common.flowName),
          type: z.string().register(docs, common.flowType),
          apiConfig: jsonObject.nullable().register(
            docs,
            doc('The inputs that a request may override, and the rate limit of the flow', {
              overrideConfig: { status: true, nodes: {} },
            }),
          ),
          chatbotConfig: jsonObject.nullable().register(
            docs,
            doc('The look of the chat window of the flow, and the web sites that may use it', {
              allowedOrigins: ['https://example.com'],
            }),
          ),
          category: z.string().nullable().register(docs, common.category),
          access: z
            .enum(['open', 'key'])
            .register(docs, doc('Whether callers needed an API key; never which', 'key')),
          leftOut: z.array(leftOut).register(docs, doc('Inputs that the file does not hold', [])),
        })
        .register(
          docs,
          doc('Name, type and settings of the flow; Flowise ignores this field', {
            version: 1,
            name: 'Handbook',
          }),
        ),
    })
    .register(docs, doc('The flow as a file, for an import', { nodes: [], edges: [] })),
  leftOut: z.array(leftOut).register(docs, doc('The same as in the file: inputs that it does not hold', [])),
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
    nodes: { ...objects, ...doc('The nodes of a drawing', []) },
    edges: { ...objects, ...doc('The connections between the nodes', []) },
    flowData: { type: ['string', 'object'], additionalProperties: true, ...common.graph },
    sluice: {
      type: 'object',
      additionalProperties: true,
      ...doc('Name, type and settings of the flow; Flowise ignores this field', {
        version: 1,
        name: 'Handbook',
      }),
    },
    ChatFlow: flowsOf('chat flows'),
    AgentFlowV2: flowsOf('agent flows'),
    AgentFlow: flowsOf('agent flows of the first version'),
    AssistantFlow: flowsOf('assistants'),
  },
  additionalProperties: true,
})

export const exportQuery = z.object({
  draft: z
    .stringbool()
    .optional()
    .register(docs, doc('Whether the drawing is that of the draft instead of the live one', 'true')),
})

export const importQuery = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .register(docs, doc('The name of the new flow, at most 200 characters', 'Handbook')),
  keepSettings: z
    .enum(['true', 'false'])
    .optional()
    .register(docs, doc('Whether the overrides, uploads and limits of the file are kept', 'true')),
  key: z
    .string()
    .min(1)
    .optional()
    .register(
      docs,
      doc(
        'The API key, by name or id, that callers of the new flows need. Without it, a flow that needed a key is closed until one is bound',
        'support',
      ),
    ),
})

/** The imported flow, or the first of several; `imported` has all of them. */
export const importAnswer = importedFlow.extend({
  imported: z
    .array(importedFlow)
    .register(docs, doc('All flows of an export with several flows, each with its report', [])),
  others: reportRows.meta(
    doc(
      'Of an export of a whole instance: a line for each thing that is no flow, such as a tool or variable',
      [],
    ),
  ),
})
export type ImportAnswer = z.output<typeof importAnswer>
