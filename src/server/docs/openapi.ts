import type { z } from 'zod'
import { failureShape, openAIFailureShape } from '../../api/failure.ts'
import { breather } from '../../kit/breather.ts'
import { OPENAI_PATH } from '../openai/failure.ts'
import type { Route } from '../route.ts'
import { describedSchema } from './describe-schema.ts'
import { curlOf, type Example, EXAMPLES } from './examples.ts'

/** The description of all routes (OpenAPI 3.1.0), made from the shapes that check the requests. */
export async function describeRoutes(routes: readonly Route[], version: string): Promise<object> {
  const paths: Record<string, Record<string, object>> = {}
  const breathe = breather()
  for (const declared of routes) {
    await breathe()
    const path = declared.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][declared.method.toLowerCase()] = describe(declared)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: 'Loads documents through chat flows into vector stores, and answers questions about them.',
    },
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: describedSchema(failureShape, 'output'),
        OpenAIError: describedSchema(openAIFailureShape, 'output'),
      },
    },
  }
}

function describe(declared: Route): object {
  const { summary, tag, access, params, query, headers, body, accepts, answer, also = [] } = declared
  const example = EXAMPLES[`${declared.method} ${declared.url}`]
  const error = {
    $ref: `#/components/schemas/${declared.url.startsWith(OPENAI_PATH) ? 'OpenAIError' : 'Error'}`,
  }
  const { failure } = declared
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
          .map(([status, answers]) => [status, responseOf(answers, status)]),
      ),
      default: {
        description: 'A failure; the table of errors lists the codes',
        content: {
          'application/json': {
            schema: failure ? { anyOf: [error, describedSchema(failure, 'output')] } : error,
          },
        },
      },
    },
    ...(example ? { 'x-example': shownExample(declared, example) } : {}),
  }
}

/** The example of a route; the tests execute all of them. */
const shownExample = ({ method, url, access }: Route, example: Example): object => ({
  curl: curlOf(method, url, example, access === 'open'),
  status: example.status,
  ...(example.body ? { body: example.body } : {}),
})

/** The answers with one status; they differ in their media types. */
const responseOf = (answers: Route['answer'][], status: number): object => ({
  description: answers.map(({ description }) => description).join('; '),
  content: Object.fromEntries(
    (status === 204 || status === 304 ? [] : answers).map(({ shape, type = 'application/json' }) => [
      type,
      { schema: shape ? describedSchema(shape, 'output') : textSchema(type) },
    ]),
  ),
})

/** The schema of an answer without a shape: text or bytes. */
const textSchema = (type: string): object =>
  type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }

function contentOf(body: z.ZodType, accepts: readonly string[] = ['application/json']): object {
  return Object.fromEntries(
    accepts.map((type) => [
      type,
      { schema: type === 'multipart/form-data' ? uploadSchema : describedSchema(body, 'input') },
    ]),
  )
}

const uploadSchema = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: 'The files; one part with this name for each',
      examples: [['handbook.pdf']],
    },
    overrideConfig: {
      type: 'string',
      description: 'Values for inputs of the nodes: a JSON object as text',
      examples: ['{"chunkSize": 500}'],
    },
    password: {
      type: 'string',
      description:
        'Opens PDFs that are protected by a password. password[NAME] is for the file NAME only. It goes when the job ends',
      examples: ['winter'],
    },
  },
  // Any other part is an override; its name is the name of the input.
  additionalProperties: { type: 'string' },
}

function parametersOf(shape: z.ZodType | undefined, where: 'path' | 'query' | 'header'): object[] {
  if (!shape) return []
  const { properties = {}, required = [] } = describedSchema(shape, 'input') as {
    properties?: Record<string, { description?: string; examples?: unknown[] }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { example: examples[0] }),
    schema,
  }))
}
