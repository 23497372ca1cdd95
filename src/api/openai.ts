import { z } from 'zod'
import { common, doc, docs } from './doc.ts'
import { jsonObject, warning } from './json.ts'
import { pendingAction, sourceDocument, usedTool } from './prediction.ts'

/** A source as a citation in OpenAI's form. It refers to the whole answer. */
const annotation = z.object({
  type: z.literal('url_citation').register(docs, doc('Always url_citation')),
  url_citation: z
    .object({
      start_index: z.number().register(docs, doc('Always 0', 0)),
      end_index: z.number().register(docs, doc('The length of the answer, in UTF-16 code units', 42)),
      title: z.string().register(docs, doc('The name of the source', 'handbook.pdf')),
      url: z.string().register(docs, doc('The name of the source as an address', 'urn:source:handbook.pdf')),
    })
    .register(
      docs,
      doc('A source of the whole answer', { title: 'handbook.pdf', url: 'urn:source:handbook.pdf' }),
    ),
})

export const completionShape = z.object({
  id: z
    .string()
    .register(
      docs,
      doc(
        'The id of the answer: chatcmpl- and the id of its message',
        'chatcmpl-5f6a9c1e-6f0e-4a53-9d7b-0d8f4f6f2b11',
      ),
    ),
  object: z.literal('chat.completion').register(docs, doc('Always chat.completion')),
  created: z.number().register(docs, doc('Time of creation, in seconds since 1970', 1_769_850_000)),
  model: z.string().register(docs, doc('The flow as the request named it', 'assistant')),
  choices: z
    .array(
      z.object({
        index: z.number().register(docs, doc('Always 0', 0)),
        message: z
          .object({
            role: z.literal('assistant').register(docs, doc('Always assistant')),
            content: z.string().register(docs, doc('The text of the answer', 'Four weeks.')),
            refusal: z.null().register(docs, doc('Always null', null)),
            annotations: z.array(annotation).register(docs, doc('The sources of the answer', [])),
          })
          .register(docs, doc('The answer', { role: 'assistant', content: 'Four weeks.' })),
        logprobs: z.null().register(docs, doc('Always null', null)),
        finish_reason: z.literal('stop').register(docs, doc('Always stop')),
      }),
    )
    .register(docs, doc('The answer, as a list of one', [])),
  usage: z
    .object({
      prompt_tokens: z.number().register(docs, doc('Tokens of the question', 12)),
      completion_tokens: z.number().register(docs, doc('Tokens of the answer', 8)),
      total_tokens: z.number().register(docs, doc('Tokens of both', 20)),
    })
    .register(
      docs,
      doc('The number of tokens used', { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 }),
    ),
  sourceDocuments: z.array(sourceDocument).optional().register(docs, common.sourceDocuments),
  usedTools: z.array(usedTool).optional().register(docs, common.usedTools),
  action: pendingAction.optional().register(docs, common.action),
  warnings: z.array(warning).optional().register(docs, common.warnings),
})

export const modelShape = z.object({
  id: z.string().register(docs, doc('The slug of the flow; for embeddings builtin', 'assistant')),
  object: z.literal('model').register(docs, doc('Always model')),
  created: z.number().register(docs, doc('Time of creation, in seconds since 1970', 1_769_850_000)),
  owned_by: z.string().register(docs, doc('Always sluice', 'sluice')),
})

export const embeddingsShape = z.object({
  object: z.literal('list').register(docs, doc('Always list')),
  model: z.string().register(docs, doc('The name of the embedding model', 'builtin')),
  data: z
    .array(
      z.object({
        object: z.literal('embedding').register(docs, doc('Always embedding')),
        index: z.number().register(docs, doc('The position of the text in the request, from 0', 0)),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .register(docs, doc('The vector, as numbers or as base64', [0.1, 0.2])),
      }),
    )
    .register(docs, doc('The vectors, in the order of the texts', [])),
  usage: z
    .object({
      prompt_tokens: z.number().register(docs, doc('Tokens of the texts', 12)),
      total_tokens: z.number().register(docs, doc('The same', 12)),
    })
    .register(docs, doc('The number of tokens used', { prompt_tokens: 12, total_tokens: 12 })),
})

export const modelList = z.object({
  object: z.literal('list').register(docs, doc('Always list')),
  data: z
    .array(modelShape)
    .register(docs, doc('The flows that the key may ask, and the embedding model', [])),
})

export const modelParams = z.object({
  model: z.string().register(docs, doc('The slug or the id of a flow, or builtin', 'assistant')),
})

const textPart = z.looseObject({
  type: z.literal('text').register(docs, doc('A text')),
  text: z.string().register(docs, doc('The text of this part', 'Hello')),
})
const imagePart = z.looseObject({
  type: z.literal('image_url').register(docs, doc('A picture')),
  image_url: z
    .looseObject({
      url: z
        .string()
        .register(
          docs,
          doc('The web address of the picture, or a data URL', 'data:image/png;base64,iVBORw0KGgo='),
        ),
    })
    .register(docs, doc('A picture', { url: 'data:image/png;base64,iVBORw0KGgo=' })),
})
const otherPart = z.looseObject({
  type: z
    .string()
    .regex(/^(?!(text|image_url)$)/)
    .register(docs, doc('Another type of part', 'file')),
})

const message = z.looseObject({
  role: z
    .enum(['system', 'developer', 'user', 'assistant', 'tool', 'function'])
    .register(docs, doc('Who wrote the message, in the terms of OpenAI', 'user')),
  content: z
    .union([z.string(), z.array(z.union([textPart, imagePart, otherPart]))])
    .nullish()
    .register(docs, doc('The text, or its parts: texts and pictures', 'Hello')),
})

export type ChatMessage = z.output<typeof message>

export const chatBody = z.looseObject({
  /** The slug or the id of a flow. */
  model: z.string().min(1).register(docs, doc('The slug or the id of the flow', 'assistant')),
  messages: z
    .array(message)
    .min(1)
    .max(2000)
    .register(
      docs,
      doc('The conversation, oldest first; the last one is the question', [
        { role: 'user', content: 'Hello' },
      ]),
    ),
  stream: z.boolean().nullish().register(docs, doc('Whether the answer is sent in chunks', false)),
  stream_options: z
    .looseObject({
      include_usage: z.boolean().nullish().register(docs, doc('Whether the last chunk has the token counts')),
    })
    .nullish()
    .register(docs, doc('Options of a streamed answer', { include_usage: true })),
  n: z.literal(1, 'a flow gives one answer').nullish().register(docs, doc('The number of answers: 1', 1)),
  /** An extension of Sluice: values for inputs of nodes, where the flow allows it. */
  overrideConfig: jsonObject.nullish().register(docs, common.overrides),
})

export type ChatBody = z.output<typeof chatBody>

/** The most texts in one request, as at OpenAI. */
const MOST_TEXTS = 2048

const text = z.string().min(1)

export const embeddingsBody = z.looseObject({
  model: z.string().register(docs, doc('The embedding model: builtin', 'builtin')),
  input: z
    .union(
      [text, z.array(text).min(1).max(MOST_TEXTS)],
      `one text, or a list of at most ${MOST_TEXTS}, none of them empty; this model does not take token numbers`,
    )
    .register(docs, doc('One text, or a list of at most 2,048', ['Otters hold hands.'])),
  encoding_format: z
    .enum(['float', 'base64'])
    .nullish()
    .register(docs, doc('float for numbers, base64 for the bytes of 32-bit floats, little-endian', 'float')),
  dimensions: z.number().int().nullish().register(docs, doc('The number of dimensions of a vector', 256)),
})
