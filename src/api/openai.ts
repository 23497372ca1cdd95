import { z } from 'zod'
import { jsonObject, warning } from './json.ts'
import { pendingAction, sourceDocument, usedTool } from './prediction.ts'

/** A source as a citation in OpenAI's form. It refers to the whole answer. */
const annotation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    start_index: z.number(),
    end_index: z.number(),
    title: z.string(),
    url: z.string(),
  }),
})

export const completionShape = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string(),
        refusal: z.null(),
        annotations: z.array(annotation),
      }),
      logprobs: z.null(),
      finish_reason: z.literal('stop'),
    }),
  ),
  usage: z.object({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: z.number(),
  }),
  sourceDocuments: z.array(sourceDocument).optional(),
  usedTools: z.array(usedTool).optional(),
  action: pendingAction.optional(),
  warnings: z.array(warning).optional(),
})

export const modelShape = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number(),
  owned_by: z.string(),
})

export const embeddingsShape = z.object({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.number(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: z.number(), total_tokens: z.number() }),
})

export const modelList = z.object({ object: z.literal('list'), data: z.array(modelShape) })

export const modelParams = z.object({ model: z.string() })

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string() }),
})
const otherPart = z.looseObject({ type: z.string().regex(/^(?!(text|image_url)$)/) })

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(z.union([textPart, imagePart, otherPart]))]).nullish(),
})

export type ChatMessage = z.output<typeof message>

export const chatBody = z.looseObject({
  /** The slug or the id of a flow. */
  model: z.string().min(1),
  messages: z.array(message).min(1).max(2000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'a flow gives one answer').nullish(),
  /** An extension of Sluice: values for inputs of nodes, where the flow allows it. */
  overrideConfig: jsonObject.nullish(),
})

export type ChatBody = z.output<typeof chatBody>

/** The most texts in one request, as at OpenAI. */
const MOST_TEXTS = 2048

const text = z.string().min(1)

export const embeddingsBody = z.looseObject({
  model: z.string(),
  input: z.union(
    [text, z.array(text).min(1).max(MOST_TEXTS)],
    `one text, or a list of at most ${MOST_TEXTS}, none of them empty; this model does not take token numbers`,
  ),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().nullish(),
})
