import { z } from 'zod'
import { ERRORS } from '../kit/errors.ts'
import { OPENAI_PATH } from './openai/failure.ts'
import type { Route } from './route.ts'

/** The platform's own description (OpenAPI 3.1.0), from the shapes that check the requests. */
export function describeRoutes(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const declared of routes) {
    const path = declared.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][declared.method.toLowerCase()] = describe(declared)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sluice', version, description: 'Documents in through chat flows, answers out.' },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema, OpenAIError: openAIErrorSchema },
    },
  }
}

const errorSchema = {
  type: 'object',
  required: ['statusCode', 'success', 'message', 'stack', 'code'],
  properties: {
    statusCode: { type: 'integer' },
    success: { const: false },
    message: { type: 'string' },
    stack: { type: 'object' },
    code: { enum: Object.keys(ERRORS) },
    error: { const: 'Unauthorized Access' },
    file: { type: 'string' },
    stage: { type: 'string' },
    hint: { type: 'string' },
  },
}

const openAIErrorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'param', 'code'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        code: { type: 'string' },
      },
    },
  },
}

function describe(declared: Route): object {
  const { summary, tag, access, params, query, headers, body, accepts, answer, also = [] } = declared
  const failure = declared.url.startsWith(OPENAI_PATH) ? 'OpenAIError' : 'Error'
  return {
    summary,
    tags: [tag],
    ...(access === 'open' ? {} : { security: [{ key: [] }, ...(access === 'manage' ? [] : [{}])] }),
    parameters: [
      ...parametersOf(params, 'path'),
      ...parametersOf(query, 'query'),
      ...parametersOf(headers, 'header'),
    ],
    ...(body ? { requestBody: { content: contentOf(body, accepts) } } : {}),
    responses: {
      ...Object.fromEntries(
        Map.groupBy([answer, ...also], ({ status = 200 }) => status)
          .entries()
          .map(([status, answers]) => [status, responseOf(answers)]),
      ),
      default: {
        description: 'A failure; its code is one of a fixed list',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${failure}` } } },
      },
    },
  }
}

/** Answers of one status: they differ in their types. */
const responseOf = (answers: Route['answer'][]): object => ({
  description: answers.map(({ description }) => description).join('; '),
  content: Object.fromEntries(
    answers.map(({ shape, type = 'application/json' }) => [
      type,
      shape ? { schema: schemaOf(shape, 'output') } : {},
    ]),
  ),
})

function contentOf(body: z.ZodType, accepts: readonly string[] = ['application/json']): object {
  return Object.fromEntries(
    accepts.map((type) => [
      type,
      { schema: type === 'multipart/form-data' ? uploadSchema : schemaOf(body, 'input') },
    ]),
  )
}

const uploadSchema = {
  type: 'object',
  properties: {
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
    overrideConfig: { type: 'string', description: 'A JSON object as text' },
  },
  additionalProperties: { type: 'string' },
}

function parametersOf(shape: z.ZodType | undefined, where: 'path' | 'query' | 'header'): object[] {
  if (!shape) return []
  const { properties = {}, required = [] } = schemaOf(shape, 'input') as {
    properties?: Record<string, object>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema,
  }))
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return schema
}
