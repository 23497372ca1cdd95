import { z } from 'zod'
import { flowProblem } from './flow-problem.ts'
import { jsonObject, moment } from './json.ts'
import { listOf, pageIfAsked } from './paging.ts'

/** Columns that are JSON text in Flowise's rows: accepted as text or as objects, answered as text. */
export const JSON_COLUMNS = [
  'apiConfig',
  'chatbotConfig',
  'analytic',
  'speechToText',
  'textToSpeech',
  'followUpPrompts',
] as const

export const FLOW_TYPES = ['CHATFLOW', 'AGENTFLOW', 'MULTIAGENT', 'ASSISTANT'] as const

/** A flow in a list for a key without the scope `manage`: without drawing and configuration. */
export const listedFlow = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: z.string(),
  category: z.string().nullable(),
  createdDate: moment,
  updatedDate: moment,
})

const jsonText = z.string().nullable()

/** A flow for a key with the scope `manage`. */
export const shownFlow = listedFlow.extend({
  revision: z.number().int(),
  flowData: z.string(),
  deployed: z.boolean().nullable(),
  isPublic: z.boolean().nullable(),
  apikeyid: z.string().nullable(),
  apiConfig: jsonText,
  chatbotConfig: jsonText,
  analytic: jsonText,
  speechToText: jsonText,
  textToSpeech: jsonText,
  followUpPrompts: jsonText,
})
export type FlowAnswer = z.output<typeof shownFlow>

/** A flow that was just saved, with what would be refused if it were called now. */
export const savedFlow = shownFlow.extend({
  problems: z.array(flowProblem),
  warning: z.string().nullable(),
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
  name: z.string().trim().min(1).max(200),
  slug: flowSlug.nullish(),
  flowData: z.union([z.string(), jsonObject]),
  /** The template of a new flow, instead of flowData. */
  template: z.string().nullish(),
  /** The flow that a new flow is a copy of, instead of flowData. */
  copyOf: z.string().min(1).nullish(),
  type: z.enum(FLOW_TYPES).nullish(),
  apikeyid: z.string().nullish(),
  deployed: z.boolean().nullish(),
  isPublic: z.boolean().nullish(),
  category: z.string().nullish(),
  ...Object.fromEntries(JSON_COLUMNS.map((name) => [name, jsonColumn])),
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

export const flowListQuery = pageIfAsked.extend({ type: z.string().optional() })
