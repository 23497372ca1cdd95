import { z } from 'zod'
import { JSON_COLUMNS } from '../contract/flow-store.ts'
import { common, doc, docs, EXAMPLE_ID } from './doc.ts'
import { flowProblem } from './flow-problem.ts'
import { jsonObject, moment } from './json.ts'
import { listOf, pageIfAsked } from './paging.ts'

const UNUSED_COLUMN = doc('Kept for clients of Flowise; has no effect', null)

const COLUMN_DOCS: Record<(typeof JSON_COLUMNS)[number], ReturnType<typeof doc>> = {
  apiConfig: doc('The inputs that a request may override, and the rate limit of the flow', {
    overrideConfig: { status: true, nodes: {} },
  }),
  chatbotConfig: doc('The look of the chat window of the flow, and the web sites that may use it', {
    allowedOrigins: ['https://example.com'],
  }),
  analytic: UNUSED_COLUMN,
  speechToText: doc('The service that writes recordings down: openAIWhisper, groqWhisper or localAISTT', {
    openAIWhisper: { status: true, credentialId: EXAMPLE_ID, language: 'en' },
  }),
  textToSpeech: UNUSED_COLUMN,
  followUpPrompts: UNUSED_COLUMN,
}

export const FLOW_TYPES = ['CHATFLOW', 'AGENTFLOW', 'MULTIAGENT', 'ASSISTANT'] as const

/** A flow in a list for a key without the scope `manage`: without drawing and configuration. */
export const listedFlow = z.object({
  id: z.string().register(docs, common.flowId),
  slug: z.string().register(docs, common.slug),
  name: z.string().register(docs, common.flowName),
  type: z.string().register(docs, common.flowType),
  category: z.string().nullable().register(docs, common.category),
  createdDate: moment.meta(common.created),
  updatedDate: moment.meta(common.changed),
})

const jsonText = z.string().nullable()

/** A flow for a key with the scope `manage`. */
export const shownFlow = listedFlow.extend({
  revision: z.number().int().register(docs, common.revision),
  flowData: z
    .string()
    .register(docs, doc('The graph of the flow, nodes and edges, as JSON text', '{"nodes":[],"edges":[]}')),
  deployed: z.boolean().nullable().register(docs, doc('Kept for clients of Flowise; has no effect', false)),
  isPublic: z
    .boolean()
    .nullable()
    .register(docs, doc('Whether everybody may open the chat page of the flow, /chatbot/:flowId', false)),
  apikeyid: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'The id of the API key that callers of the flow need; empty or null opens the flow to all callers, `closed` closes it until a key is bound',
        EXAMPLE_ID,
      ),
    ),
  apiConfig: jsonText.meta(COLUMN_DOCS.apiConfig),
  chatbotConfig: jsonText.meta(COLUMN_DOCS.chatbotConfig),
  analytic: jsonText.meta(COLUMN_DOCS.analytic),
  speechToText: jsonText.meta(COLUMN_DOCS.speechToText),
  textToSpeech: jsonText.meta(COLUMN_DOCS.textToSpeech),
  followUpPrompts: jsonText.meta(COLUMN_DOCS.followUpPrompts),
})
export type FlowAnswer = z.output<typeof shownFlow>

/** A flow that was just saved, with what would be refused if it were called now. */
export const savedFlow = shownFlow.extend({
  problems: z
    .array(flowProblem)
    .register(docs, doc('What would be refused if the flow were called now, each with its place', [])),
  warning: z
    .string()
    .nullable()
    .register(
      docs,
      doc(
        'One sentence about these problems, such as "Saved, but upserts will fail: …"; null if all requests of the flow can run',
        null,
      ),
    ),
})
export type SavedFlow = z.output<typeof savedFlow>

/** A flow in a list, for any key. */
export const flowInList = shownFlow.partial().extend(listedFlow.shape)
export type ListedFlowAnswer = z.output<typeof flowInList>

export const flowList = z.union([listOf(shownFlow), listOf(listedFlow)])

const jsonColumn = z.union([z.string(), jsonObject]).nullish()

export const flowSlug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,99}$/, 'lower-case letters, digits and hyphens')

const flowBody = z.looseObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .register(docs, doc('The name of the flow, at most 200 characters', 'Handbook')),
  slug: flowSlug.nullish().register(docs, common.slug),
  flowData: z.union([z.string(), jsonObject]).register(docs, common.graph),
  /** The template of a new flow, instead of flowData. */
  template: z
    .string()
    .nullish()
    .register(docs, doc('The name of the template for a new flow; instead of flowData', 'documents')),
  /** The flow that a new flow is a copy of, instead of flowData. */
  copyOf: z
    .string()
    .min(1)
    .nullish()
    .register(
      docs,
      doc(
        'The id or slug of the flow that the new one is a copy of, with its settings and its API key; other fields replace those of the copy',
        'quickstart',
      ),
    ),
  type: z
    .enum(FLOW_TYPES)
    .nullish()
    .register(
      docs,
      doc('The type of the flow; unless given, that of its nodes: CHATFLOW or AGENTFLOW', 'CHATFLOW'),
    ),
  apikeyid: z
    .string()
    .nullish()
    .register(
      docs,
      doc(
        'The id of the API key that callers of the flow need; empty or null opens the flow to all callers, `closed` closes it until a key is bound',
        EXAMPLE_ID,
      ),
    ),
  deployed: z.boolean().nullish().register(docs, doc('Kept for clients of Flowise; has no effect', false)),
  isPublic: z
    .boolean()
    .nullish()
    .register(docs, doc('Whether everybody may open the chat page of the flow, /chatbot/:flowId', false)),
  category: z.string().nullish().register(docs, common.category),
  ...Object.fromEntries(JSON_COLUMNS.map((name) => [name, jsonColumn.meta(COLUMN_DOCS[name])])),
})
export const flowPatch = flowBody.omit({ template: true, copyOf: true }).partial()
export const newFlowBody = flowBody
  .partial({ flowData: true })
  .refine(
    ({ flowData, template, copyOf }) => flowData !== undefined || template != null || copyOf != null,
    'flowData: it is missing',
  )
  .refine(({ template, copyOf }) => template == null || copyOf == null, 'give either template or copyOf')
export type FlowBody = z.output<typeof flowBody>
export type NewFlow = z.output<typeof newFlowBody>
export type FlowPatch = z.output<typeof flowPatch>

export const flowListQuery = pageIfAsked.extend({
  type: z.string().optional().register(docs, doc('Only flows of this type', 'CHATFLOW')),
})
