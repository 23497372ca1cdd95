import { breather } from '../../kit/breather.ts'
import { ERRORS } from '../../kit/errors.ts'
import { escapeHtml, htmlPage } from './html.ts'

type Schema = {
  type?: string | string[]
  description?: string
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
}

type Operation = {
  summary?: string
  tags?: string[]
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
  responses?: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>
  'x-example'?: { curl: string; status: number; body?: unknown }
}

/** The parts of our OpenAPI document that the page shows. */
export type DescribedRoutes = { paths: Record<string, Record<string, Operation>> }

/**
 * All routes on one page: parameters, fields, an example and a form that sends a request. Script and style are separate
 * files.
 */
export async function documentationPage({ paths }: DescribedRoutes): Promise<string> {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = Map.groupBy(rows, ({ operation }) => operation.tags?.[0] ?? 'other')
  const sections: string[] = []
  const breathe = breather()
  for (const [tag, group] of groups) {
    sections.push(`<h2>${escapeHtml(tag)}</h2>`)
    for (const { path, method, operation } of group) {
      await breathe()
      sections.push(routeOf(path, method, operation))
    }
  }
  const errors = Object.entries(ERRORS)
    .map(
      ([code, [status, sentence]]) => `<tr><td><code>${code}</code><td>${status}<td>${escapeHtml(sentence)}`,
    )
    .join('')
  return htmlPage(
    'Sluice: routes',
    `<h1>Routes</h1><p class="quiet">The same as OpenAPI: <a href="/openapi.json">/openapi.json</a></p>
<form id="access"><p><label>API key for the forms below: <input id="key" type="password" autocomplete="off"></label> It is sent only to this server and not stored.</p></form>
${sections.join('')}
<h2>Errors</h2><p>Every failure has the body <code>{statusCode, success, message, stack, code}</code>; some also have <code>file</code>, <code>stage</code> or <code>hint</code>.</p>
<table><tr><th>code<th>status<th>message</tr>${errors}</table>
<script src="/docs/try.js" defer></script>`,
  )
}

function routeOf(path: string, method: string, operation: Operation): string {
  const { summary = '', security, parameters = [], requestBody, responses = {} } = operation
  const access =
    security === undefined
      ? 'open to all callers'
      : security.length > 1
        ? 'needs a key if the flow does'
        : 'needs a key'
  const example = operation['x-example']
  const fields = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) =>
    fieldTable(`Body: ${type}`, schema),
  )
  const answers = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, { description, content = {} }]) =>
      Object.entries(content)
        .map(([type, { schema }]) => fieldTable(`${status} ${type}: ${description}`, schema))
        .join(''),
    )
  return `<details><summary><code><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
<p class="quiet">${access}</p>
${parameterTable(parameters)}${fields.join('')}${answers.join('')}
${example ? `<h4>Example, answer ${example.status}</h4><pre>${escapeHtml(example.curl)}</pre>` : ''}
${formOf(path, method, operation)}</details>`
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: where, required, description, example, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code><td>${where}${required ? ', required' : ''}<td>${escapeHtml(typeOf(schema))}<td>${escapeHtml(description ?? '')}<td>${shown(example)}`,
  )
  return `<h4>Parameters</h4><table><tr><th>name<th>in<th>type<th>description<th>example</tr>${rows.join('')}</table>`
}

function fieldTable(title: string, schema: Schema | undefined): string {
  const rows = [...fieldsOf(schema, '')]
  if (rows.length === 0) return `<h4>${escapeHtml(title)}</h4>`
  return `<h4>${escapeHtml(title)}</h4><table><tr><th>field<th>type<th>description<th>example</tr>${rows.join('')}</table>`
}

/** A row for each field, followed by its own fields with their dotted paths. */
function* fieldsOf(schema: Schema | undefined, before: string): Generator<string> {
  if (!schema) return
  for (const choice of schema.anyOf ?? []) yield* fieldsOf(choice, before)
  if (schema.items) yield* fieldsOf(schema.items, `${before}[]`)
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const at = before === '' ? name : `${before}.${name}`
    const required = schema.required?.includes(name) ? ', required' : ''
    yield `<tr><td><code>${escapeHtml(at)}</code><td>${escapeHtml(typeOf(field))}${required}<td>${escapeHtml(field.description ?? '')}<td>${shown(field.examples?.[0])}`
    yield* fieldsOf(field, at)
  }
}

function typeOf({
  type,
  anyOf,
  enum: values,
  const: value,
  format,
  items,
  minimum,
  maximum,
}: Schema): string {
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (values) return values.map(String).join(', ')
  if (value !== undefined) return String(value)
  const least = minimum !== undefined && Number.isSafeInteger(minimum) ? ` from ${minimum}` : ''
  const most = maximum !== undefined && Math.abs(maximum) < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : ''
  if (items) return `list of ${typeOf(items)}`
  return `${format ?? (Array.isArray(type) ? 'any JSON' : (type ?? 'any'))}${least}${most}`
}

const shown = (example: unknown): string =>
  example === undefined ? '' : `<code>${escapeHtml(JSON.stringify(example))}</code>`

/** A form; the script of the page sends it. */
function formOf(path: string, method: string, { parameters = [], requestBody, ...rest }: Operation): string {
  const body = rest['x-example']?.body
  const inputs = parameters.map(({ name, in: where, example, required }) => {
    const value = where === 'path' && required ? ` value="${escapeHtml(String(example ?? ''))}"` : ''
    return `<p><label>${escapeHtml(name)} <input name="${escapeHtml(name)}" data-in="${where}"${value}></label></p>`
  })
  const types = Object.keys(requestBody?.content ?? {})
  const files = types.includes('multipart/form-data')
    ? '<p><label>files <input type="file" multiple></label></p>'
    : ''
  const text = types.includes('application/json')
    ? `<p><label>body<textarea>${body === undefined ? '' : escapeHtml(JSON.stringify(body, null, 2))}</textarea></label></p>`
    : ''
  return `<form data-method="${method.toUpperCase()}" data-url="${escapeHtml(path)}"><h4>Try it</h4>${inputs.join('')}${files}${text}
<button>Send</button><pre><output></output></pre></form>`
}
