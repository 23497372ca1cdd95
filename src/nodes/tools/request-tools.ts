import { defineNode } from '../../cards/define-node.ts'
import { numberField, textField } from '../../cards/field.ts'
import type { ValuesOf } from '../../contract/field.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { type RequestMethod, requestTool } from '../../tools/request.ts'
import { readHeaders } from '../../tools/request-headers.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'
import { lenientJsonField } from './lenient-json-field.ts'
import { mayCall } from '../may-call.ts'
import { InputError } from '../../cards/input-error.ts'
import { readField, readObjectSchema } from '../../tools/written-schema.ts'
import { reasonOf } from '../../kit/errors.ts'

const additional = { additional: true } as const

/** The inputs with the names of the first version. They are read before those of the current version. */
const olderFields = (name: string | undefined, extra: { additional?: true; main?: true }) => ({
  url: textField('URL', undefined, { ...extra, guard: 'url' }),
  name: textField('Name', name, { ...extra, ...additional }),
  description: textField('Description', undefined, {
    ...additional,
    description: 'The description of the tool that the model sees',
  }),
  headers: lenientJsonField('Headers', 'string', {
    ...additional,
    guard: 'credential',
    description: '{"Authorization": "Bearer …"}. The model does not see them',
  }),
  queryParamsSchema: lenientJsonField('Query Params Schema', 'code', {
    ...additional,
    description:
      'The parameters of the address that the model fills in: {"id": {"type": "string", "in": "path", "required": true, "description": "…"}}',
  }),
  body: lenientJsonField('Body', 'string', {
    ...additional,
    description: 'Fields that are always sent. They win over those that the model writes',
  }),
  bodySchema: lenientJsonField('Body Schema', 'code', {
    ...additional,
    description:
      'The fields that the model writes: {"name": {"type": "string", "required": true, "description": "…"}}',
  }),
})

type Older = ReturnType<typeof olderFields>
type Input = keyof Older

function requestCard(method: RequestMethod, version: number) {
  const methodName = `${method[0]}${method.slice(1).toLowerCase()}`
  const takesBody = !['GET', 'DELETE'].includes(method)
  /** The current names of the inputs. Flowise writes `request…Body` without an "s". */
  const inputs: Partial<Record<Input, string>> = {
    url: `requests${methodName}Url`,
    name: `requests${methodName}Name`,
    description: `requests${methodName}Description`,
    headers: `requests${methodName}Headers`,
    queryParamsSchema: `requests${methodName}QueryParamsSchema`,
    ...(takesBody ? { body: `request${methodName}Body`, bodySchema: `requests${methodName}BodySchema` } : {}),
  }
  const maxOutputLength = `requests${methodName}MaxOutputLength`
  const names = Object.entries(inputs) as [Input, string][]
  const fields = olderFields(`requests_${method.toLowerCase()}`, { main: true })
  const older = olderFields(undefined, additional)

  return defineNode({
    kind: 'tools',
    name: `requests${methodName}`,
    label: `Requests ${methodName}`,
    version,
    category: 'Tools',
    type: `Requests${methodName}`,
    baseClasses: [`Requests${methodName}`, 'Tool', 'StructuredTool', 'Runnable'],
    description: `Lets the model send ${method} requests to an address`,
    fields: {
      ...Object.fromEntries(names.map(([input, name]) => [name, fields[input]])),
      [maxOutputLength]: numberField(
        'Max Output Length',
        2000,
        { whole: true, min: 1, max: 1_000_000 },
        {
          ...additional,
          unit: 'characters',
          description: 'How much of a response the model reads',
        },
      ),
      ...Object.fromEntries(
        names.map(([input]) => [
          input,
          { ...older[input], label: `${older[input].label} (first version)`, hidden: true as const },
        ]),
      ),
    },
    anchors: {},
    build({ values }, context) {
      const { egress } = context
      const inputValues = Object.fromEntries(
        names.map(([input, name]) => [input, values[input] ?? values[name]]),
      ) as Partial<ValuesOf<Older>>
      const url = addressOf(inputValues.url, inputs.url!)
      mayCall(context, url, inputs.url!, egress)
      const tool = requestTool(
        {
          method,
          name: sanitiseToolName(inputValues.name ?? '', `requests_${method.toLowerCase()}`),
          description: inputValues.description ?? `Sends a ${method} request to ${shownAddress(url)}`,
          url,
          headers: readHeaders(inputValues.headers ?? {}),
          parameters: schemaOf(inputs.queryParamsSchema!, inputValues.queryParamsSchema, readEachField),
          body: inputValues.body,
          bodySchema: schemaOf(inputs.bodySchema!, inputValues.bodySchema, readObjectSchema),
          maxCharacters: Number(values[maxOutputLength]),
        },
        egress,
      )
      return { tools: async () => [tool] }
    },
  })
}

function addressOf(url: string | undefined, input: string): string {
  const address = url?.trim() ?? ''
  if (address === '') throw new InputError(input, 'a URL is needed')
  if (!/^https?:\/\/[^/?#\s]/i.test(address))
    throw new InputError(input, 'the URL must begin with http:// or https://')
  return address
}

/** The address without user name, password and query, which may contain secrets. */
const shownAddress = (url: string) => url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/s, '')

/** A schema as its author wrote it. @param read refuses what is none. @throws InputError */
function schemaOf(
  input: string,
  value: Json | undefined,
  read: (written: JsonObject) => unknown,
): JsonObject | undefined {
  if (value === undefined) return undefined
  if (!isObject(value)) throw new InputError(input, 'expected {"name": {"type": …}}, received a list')
  try {
    read(value)
    return value
  } catch (error) {
    throw new InputError(input, reasonOf(error))
  }
}

const readEachField = (written: JsonObject) =>
  Object.entries(written).map(([name, field]) => readField(name, field))

export const requestsGet = requestCard('GET', 2)
export const requestsPost = requestCard('POST', 2)
export const requestsPut = requestCard('PUT', 1)
export const requestsDelete = requestCard('DELETE', 1)
export const requestsPatch = requestCard('PATCH', 1)
