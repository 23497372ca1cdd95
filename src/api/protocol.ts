import { z } from 'zod'
import { doc, docs } from './doc.ts'
import { jsonObject } from './json.ts'

/** A message of the Model Context Protocol: JSON-RPC 2.0. */
export const mcpMessage = z.object({
  jsonrpc: z.literal('2.0').register(docs, doc('Always 2.0')),
  id: z
    .union([z.string(), z.number()])
    .nullable()
    .optional()
    .register(docs, doc('The id of the message that is answered', 1)),
  method: z.string().optional().register(docs, doc('The name of the method', 'tools/list')),
  params: jsonObject.optional().register(docs, doc('The parameters of the method', {})),
  result: jsonObject.optional().register(docs, doc('The result; absent for a failure', { tools: [] })),
  error: z
    .object({
      code: z.number().int().register(docs, doc('The code of JSON-RPC', -32_601)),
      message: z.string().register(docs, doc('Why it failed, in one sentence', 'Method not found')),
      data: jsonObject.optional().register(docs, doc('More about the error', {})),
    })
    .optional()
    .register(
      docs,
      doc('Why it failed; absent where it did not', { code: -32_601, message: 'Method not found' }),
    ),
})

const openObject = { type: 'object', additionalProperties: true }

/**
 * A message of a client. Only that it is an object is checked here: the library of the protocol checks the rest, and
 * refuses it with the error codes of the protocol.
 */
export const mcpRequest = jsonObject.meta({
  ...openObject,
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: { const: '2.0', description: 'Always 2.0' },
    id: {
      type: ['string', 'integer'],
      description: 'Any id, which the answer repeats; a notification has none',
      examples: [1],
    },
    method: { type: 'string', ...doc('The name of the method', 'tools/list') },
    params: { ...openObject, ...doc('The parameters of the method', {}) },
  },
})

/** The outline of an OpenAPI document. */
export const openApiDocument = z.object({
  openapi: z.literal('3.1.0').register(docs, doc('The version of OpenAPI')),
  info: z
    .object({
      title: z.string().register(docs, doc('The name of the product', 'Sluice')),
      version: z.string().register(docs, doc('The version of the server', '0.1.0')),
      description: z
        .string()
        .register(
          docs,
          doc(
            'What it does',
            'Loads documents through chat flows into vector stores, and answers questions about them.',
          ),
        ),
    })
    .register(docs, doc('Name and version of the server', { title: 'Sluice', version: '0.1.0' })),
  paths: jsonObject.meta(doc('The routes', {})),
  components: jsonObject.meta(doc('The errors, and how to send a key', {})),
})

/** The input of the MCP tool `search`. */
export const searchInput = z.object({
  query: z
    .string()
    .min(1)
    .max(100_000)
    .register(docs, doc('What to search for, in plain words', 'notice period')),
  topK: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .register(docs, doc('How many chunks to return; the setting of the flow unless given', 4)),
})

/** The input of the MCP tool `ask`. */
export const askInput = z.object({
  question: z
    .string()
    .min(1)
    .max(100_000)
    .register(docs, doc('The question, in plain words', 'How long is the notice period?')),
})
