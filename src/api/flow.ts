import { z } from 'zod'
import { moment } from './json.ts'

/** Columns that are JSON text in Flowise's rows: taken as text or as objects, answered as text. */
export const JSON_COLUMNS = [
  'apiConfig',
  'chatbotConfig',
  'analytic',
  'speechToText',
  'textToSpeech',
  'followUpPrompts',
] as const

export const FLOW_TYPES = ['CHATFLOW', 'AGENTFLOW', 'MULTIAGENT', 'ASSISTANT'] as const

/** What a key that may ask a flow sees of it in a list: neither the drawing nor the configuration. */
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

/** A flow as its manager sees it. */
export const shownFlow = listedFlow.extend({
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

/** A list as Flowise gives it, or a page of it. */
const listOf = <S extends z.ZodType>(row: S) =>
  z.union([z.array(row), z.object({ data: z.array(row), total: z.number().int() })])

export const flowList = z.union([listOf(shownFlow), listOf(listedFlow)])
