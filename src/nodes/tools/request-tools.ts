import { defineNode } from '../../contract/card.ts'
import { numberField, textField, type ValuesOf } from '../../contract/field.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { type RequestMethod, requestTool } from '../../tools/request.ts'
import { readHeaders } from '../../tools/request-headers.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'
import { lenientJsonField } from './lenient-json-field.ts'

const additional = { additional: true }

/** By the names of the first version, which are read before the others. */
const olderFields = (name: string | undefined, extra = {}) => ({
  url: textField('URL', undefined, { ...extra, guard: 'url' }),
  name: textField('Name', name, additional),
  description: textField('Description', undefined, {
    ...additional,
    description: 'The description of the tool that the model sees',
  }),
  headers: lenientJsonField('Headers', 'string', {
    ...additional,
    guard: 'credential',
    description: '{"Authorization": "Bearer …"}; the model never sees them',
  }),
  queryParamsSchema: lenientJsonField('Query Params Schema', 'code', {
    ...additional,
    description:
      'What the model gives for the address: {"id": {"type": "string", "in": "path", "required": true, "description": "…"}}',
  }),
  body: lenientJsonField('Body', 'string', {
    ...additional,
    description: 'What is always sent; its fields win over what the model writes',
  }),
  bodySchema: lenientJsonField('Body Schema', 'code', {
    ...additional,
    description: 'What the model writes: {"name": {"type": "string", "required": true, "description": "…"}}',
  }),
})

type Older = ReturnType<typeof olderFields>
type Input = keyof Older

function requestCard(method: RequestMethod, version: number) {
  const word = `${method[0]}${method.slice(1).toLowerCase()}`
  const takesBody = !['GET', 'DELETE'].includes(method)
  /** What an input is called now; the body alone has lost an "s". */
  const inputs: Partial<Record<Input, string>> = {
    url: `requests${word}Url`,
    name: `requests${word}Name`,
    description: `requests${word}Description`,
    headers: `requests${word}Headers`,
    queryParamsSchema: `requests${word}QueryParamsSchema`,
    ...(takesBody ? { body: `request${word}Body`, bodySchema: `requests${word}BodySchema` } : {}),
  }
  const most = `requests${word}MaxOutputLength`
  const names = Object.entries(inputs) as [Input, string][]
  const fields = olderFields(`requests_${method.toLowerCase()}`)
  const older = olderFields(undefined, additional)

  return defineNode({
    kind: 'tools',
    name: `requests${word}`,
    label: `Requests ${word}`,
    version,
    category: 'Tools',
    type: `Requests${word}`,
    baseClasses: [`Requests${word}`, 'Tool', 'StructuredTool', 'Runnable'],
    description: `Lets the model call an address by ${method}`,
    fields: {
      ...Object.fromEntries(names.map(([input, name]) => [name, fields[input]])),
      [most]: numberField(
        'Max Output Length',
        2000,
        { whole: true, min: 1, max: 1_000_000 },
        {
          ...additional,
          description: 'How many characters of an answer the model reads',
        },
      ),
      ...Object.fromEntries(
        names.map(([input]) => [input, { ...older[input], label: `${older[input].label} (first version)` }]),
      ),
    },
    anchors: {},
    build({ values }, { egress }) {
      const given = Object.fromEntries(
        names.map(([input, name]) => [input, values[input] ?? values[name]]),
      ) as Partial<ValuesOf<Older>>
      const url = addressOf(given.url)
      const tool = requestTool(
        {
          method,
          name: sanitiseToolName(given.name ?? '', `requests_${method.toLowerCase()}`),
          description: given.description ?? `Sends a ${method} request to ${shownAddress(url)}`,
          url,
          headers: readHeaders(given.headers ?? {}),
          parameters: objectOf('Query Params Schema', given.queryParamsSchema),
          body: given.body,
          bodySchema: objectOf('Body Schema', given.bodySchema),
          maxCharacters: Number(values[most]),
        },
        egress,
      )
      return { tools: async () => [tool] }
    },
  })
}

function addressOf(given: string | undefined): string {
  const address = given?.trim() ?? ''
  if (address === '') throw new Error('a URL is needed')
  if (!/^https?:\/\/[^/?#\s]/i.test(address)) throw new Error('the URL must begin with http:// or https://')
  return address
}

/** Without name and password, and without a query: it may hold a key. */
const shownAddress = (url: string) => url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '')

function objectOf(label: string, value: Json | undefined): JsonObject | undefined {
  if (value === undefined || isObject(value)) return value
  throw new Error(`${label}: expected {"name": {"type": …}}, received a list`)
}

export const requestsGet = requestCard('GET', 2)
export const requestsPost = requestCard('POST', 2)
export const requestsPut = requestCard('PUT', 1)
export const requestsDelete = requestCard('DELETE', 1)
export const requestsPatch = requestCard('PATCH', 1)
