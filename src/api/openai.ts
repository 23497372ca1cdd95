import { z } from 'zod'
import { warning } from './json.ts'
import { pendingAction, sourceDocument, usedTool } from './prediction.ts'

/** A source as OpenAI's clients read it: an address, of the whole answer. */
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
