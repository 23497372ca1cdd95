import { z } from 'zod'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { jsonObject, moment } from './json.ts'

const wanted = (what: string) =>
  z
    .boolean()
    .optional()
    .register(docs, doc(`Whether the file has the ${what}; without any choice it has all`, true))

/** What an export of the server has, with the names of Flowise. */
export const exportChoice = z.looseObject({
  chatflow: wanted('chat flows'),
  agentflow: wanted('agent flows of version 1'),
  agentflowv2: wanted('agent flows of version 2'),
  assistant: wanted('assistants'),
  assistantCustom: wanted('assistants, as newer clients ask for them'),
  variable: wanted('variables'),
  tool: wanted('custom tools'),
  document_store: wanted('document stores'),
})

const text = z.string().nullable()

const exportedFlowRow = z.object({
  id: z.string().register(docs, common.flowId),
  name: z.string().register(docs, common.flowName),
  type: z.string().register(docs, common.flowType),
  flowData: z
    .string()
    .register(docs, doc('The graph without keys and secrets, as JSON text', '{"nodes":[],"edges":[]}')),
  apikeyid: z
    .string()
    .nullable()
    .register(
      docs,
      doc('Of a flow that needs a key, its id: where it is imported, the flow is closed', EXAMPLE_ID),
    ),
  apiConfig: text.meta(doc('Allowed overrides and the rate limit, as JSON text', null)),
  chatbotConfig: text.meta(doc('The look of the chat window, as JSON text', null)),
  category: text.meta(common.category),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
  sluice: jsonObject.meta(
    doc('The settings for an import into Sluice, and the inputs that were left out', { version: 1 }),
  ),
})

const exportedVariable = z.object({
  id: z.string().register(docs, doc('The id of the variable, a UUID', EXAMPLE_ID)),
  name: z.string().register(docs, doc('The name of the variable', 'city')),
  type: z.string().register(docs, doc('static or runtime', 'static')),
  value: z
    .string()
    .register(
      docs,
      doc('The value; empty for a runtime variable, and where the name is that of a secret', 'Bern'),
    ),
})

const exportedToolRow = z.object({
  id: z.string().register(docs, doc('The id of the tool, by which flows name it', EXAMPLE_ID)),
  name: z.string().register(docs, doc('The name by which a model calls it', 'weather_of_city')),
  description: z.string().register(docs, doc('What a model is told of it', 'Tells the weather of a city')),
  color: z.string().register(docs, doc('The colour of its picture, as CSS', '')),
  iconSrc: z.string().register(docs, doc('The address of its picture', '')),
  schema: z.string().register(docs, doc('Its inputs, as JSON text', '[]')),
  func: z.string().register(docs, doc('Its code, as it is', "return 'It rains in ' + $city")),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
})

const exportedStoreRow = exportedFlowRow
  .pick({ flowData: true, apikeyid: true, createdDate: true, updatedDate: true, sluice: true })
  .extend({
    id: z.string().register(docs, doc('The id of the document store', EXAMPLE_ID)),
    name: z.string().register(docs, doc('The name of the document store', 'Handbook')),
    description: z.string().register(docs, doc('What the store contains', 'The handbook of the company')),
    loaders: z
      .string()
      .register(
        docs,
        doc('Its loaders with their splitters, as JSON text; of stored files only the names', '[]'),
      ),
    whereUsed: z.string().register(docs, doc('The ids of the flows that name it, as JSON text', '[]')),
    status: z
      .enum(['EMPTY', 'STALE'])
      .register(
        docs,
        doc('EMPTY without loaders, else STALE: the file has no chunks, so each loader loads again', 'STALE'),
      ),
    embeddingConfig: text.meta(doc('The embeddings, as JSON text', null)),
    vectorStoreConfig: text.meta(doc('The vector store, as JSON text', null)),
    recordManagerConfig: text.meta(doc('The record manager, as JSON text', null)),
  })

const flowRows = (what: string) =>
  z.array(exportedFlowRow).register(docs, doc(`The ${what}; empty where they were not chosen`, []))

/** A file that Flowise and this server import. */
export const instanceExport = z.object({
  FileDefaultName: z.string().register(docs, doc('A name for the file', 'ExportData.json')),
  ChatFlow: flowRows('chat flows'),
  AgentFlow: flowRows('agent flows of version 1'),
  AgentFlowV2: flowRows('agent flows of version 2'),
  AssistantFlow: flowRows('assistants'),
  Variable: z
    .array(exportedVariable)
    .register(docs, doc('The variables; empty where they were not chosen', [])),
  Tool: z
    .array(exportedToolRow)
    .register(docs, doc('The custom tools; empty where they were not chosen', [])),
  DocumentStore: z
    .array(exportedStoreRow)
    .register(
      docs,
      doc('The document stores without chunks and files; empty where they were not chosen', []),
    ),
})
export type InstanceExport = z.output<typeof instanceExport>
