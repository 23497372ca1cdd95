import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export type Operation = {
  'x-example'?: { curl: string; status: number; body?: object }
  security?: object[]
  parameters: {
    name: string
    in: string
    required: boolean
    description?: string
    example?: unknown
    schema: object
  }[]
  requestBody?: { content: Record<string, { schema?: object }> }
  responses: Record<string, { description: string; content: Record<string, { schema?: object }> }>
}
export type Description = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

/** The routes of a description, as in `GET /api/v1/jobs/:id`. */
export const describedRoutes = ({ paths }: Description): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )

/** Holds a table of routes against the routes that a server has. @param place where a line is missing, or too many */
export function assertRoutes(listed: Iterable<string>, routes: readonly string[], place: string): void {
  const lines = new Set(listed)
  for (const route of routes) assert.ok(lines.has(route), `${place} has no line for ${route}`)
  for (const line of lines) assert.ok(routes.includes(line), `${place} has ${line}, which is no route`)
}

export type Seen = { method: string; path: string; status: number; contentType: string | null; body: unknown }

/** Compares answers of a server with its OpenAPI document. */
export function answerChecker(description: Description): (seen: Seen) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(description, 'api')
  addFormats.default(ajv)
  const paths = Object.keys(description.paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    }))

  return ({ method, path: address, status, contentType, body }) => {
    const path = paths.find(({ pattern }) => pattern.test(address.split('?')[0]!))?.path
    const operation = path === undefined ? undefined : description.paths[path]![method.toLowerCase()]
    if (path === undefined || !operation) return
    const outcome = operation.responses[status] ? String(status) : 'default'
    const content = operation.responses[outcome]!.content
    const type = Object.keys(content).find((given) => contentType?.startsWith(given))
    assert.ok(type, `${method} ${path} is not said to answer ${status} as ${contentType}`)
    // Only JSON is parsed; the schemas of other types are only text or bytes.
    if (!type.startsWith('application/json')) return
    const pointer = ['paths', path, method.toLowerCase(), 'responses', outcome, 'content', type, 'schema']
    const validate = ajv.getSchema(`api#/${pointer.map(escaped).join('/')}`)!
    assert.ok(validate(body), `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`)
  }
}

/** A step of a JSON pointer in a URL fragment (RFC 6901, 6). */
const escaped = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
