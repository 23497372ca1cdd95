import { z } from 'zod'
import { jsonObject } from './json.ts'

/** A message of the Model Context Protocol: JSON-RPC 2.0. */
export const mcpMessage = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).nullable().optional(),
  method: z.string().optional(),
  params: jsonObject.optional(),
  result: jsonObject.optional(),
  error: z.object({ code: z.number().int(), message: z.string(), data: jsonObject.optional() }).optional(),
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
    jsonrpc: { const: '2.0' },
    id: {
      type: ['string', 'integer'],
      description: 'Any id, which the answer repeats; a notification has none',
      examples: [1],
    },
    method: { type: 'string' },
    params: openObject,
  },
})

/** The outline of an OpenAPI document. */
export const openApiDocument = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: jsonObject,
  components: jsonObject,
})

/** The input of the MCP tool `search`. */
export const searchInput = z.object({
  query: z.string().min(1).max(100_000).describe('What to search for, in plain words'),
  topK: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('How many chunks to return; the setting of the flow unless given'),
})

/** The input of the MCP tool `ask`. */
export const askInput = z.object({
  question: z.string().min(1).max(100_000).describe('The question, in plain words'),
})
