import { defineNode } from '../../cards/define-node.ts'
import { credentialField, numberField, objectField, textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { BuildContext, NodeCard } from '../../contract/card.ts'
import type { Field, Fields } from '../../contract/field.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { readBaseURL } from '../../kit/provider/base-url.ts'
import { webAddress } from '../../sources/web/address.ts'
import { readHeaders } from '../../tools/request-headers.ts'
import { sanitiseToolName } from '../../tools/sanitise-tool-name.ts'
import type { KeyPlace, WebSearchService } from '../../tools/web-search/service.ts'
import { type PlacedKey, webSearchTool } from '../../tools/web-search/web-search-tool.ts'
import type { CredentialKindName } from '../credential-kinds.ts'
import { mayCall } from '../may-call.ts'
import { providerKey } from '../provider-key.ts'

/** A search service as a node: its row in `search-services.ts`. Names are those of Flowise. */
export type SearchRow = WebSearchService & {
  /** The name of the node, its label, its class and its version. */
  node: string
  label: string
  type: string
  version: number
  /** The tool as the model sees it. */
  tool: string
  about: string
  /** Where the service is. An input of the node can lead to another server with the same protocol. */
  address: string
  /** The input with the address, where Flowise has one, and what is added to its value. */
  addressInput?: { name: string; label: string; base: string; path: string }
  /** The kind of credential, and where each of its fields goes; one that is `open` is no secret. */
  credential?: { kind: CredentialKindName; keys: Readonly<Record<string, KeyPlace & { open?: true }>> }
  /** The inputs for the name of the tool and for its description, where Flowise has them. */
  toolInputs?: { name?: string; about: string }
  /** The input for the most characters that a model reads, where Flowise has one. */
  lengthInput?: string
  /** Further inputs of the node. One with a value is sent under its name in `sent`. */
  fields?: Fields
  sent?: Readonly<Record<string, string>>
  /** What is sent with every question. */
  fixed?: JsonObject
  /** Whether an input is sent, where that depends on others. */
  sends?: (input: string, values: Readonly<Record<string, unknown>>) => boolean
}

const additional = { additional: true } as const

/** The most characters of an answer that a model reads: by default, and at all. */
const MAX_CHARACTERS = 10_000
const MOST_CHARACTERS = 100_000

/** The node of a search service. */
export function searchCard(row: SearchRow): NodeCard<'tools'> {
  const { credential, addressInput, toolInputs, lengthInput = 'maxCharacters' } = row
  const address = addressInput ?? { name: 'searchAddress', label: 'Address', base: row.address, path: '' }
  const fields: Record<string, Field<unknown>> = {
    ...(credential ? { credential: credentialField('Connect Credential', [credential.kind]) } : {}),
    [address.name]: textField(address.label, address.base, {
      guard: 'url',
      main: true,
      ...(addressInput ? {} : additional),
      ...(addressInput ? {} : { description: 'A gateway, or another server with the same protocol' }),
    }),
    ...(toolInputs?.name === undefined
      ? {}
      : { [toolInputs.name]: textField('Tool Name', row.tool, additional) }),
    ...(toolInputs
      ? {
          [toolInputs.about]: textField('Tool Description', row.about, {
            ...additional,
            multiline: true,
            description: 'Tells the model when to use the tool, and for what',
          }),
        }
      : {}),
    ...row.fields,
    [lengthInput]: numberField(
      'Max Characters',
      MAX_CHARACTERS,
      { whole: true, min: 0, max: MOST_CHARACTERS },
      {
        ...additional,
        unit: 'characters',
        description: `The most characters of an answer that the model reads; 0 for ${MOST_CHARACTERS}`,
      },
    ),
  }
  return defineNode({
    kind: 'tools',
    name: row.node,
    label: row.label,
    version: row.version,
    category: 'Tools',
    type: row.type,
    baseClasses: [row.type, 'Tool', 'StructuredTool', 'Runnable'],
    description: `Searches with ${row.service}`,
    fields,
    anchors: {},
    build({ values: given }, context) {
      const values = given as Readonly<Record<string, unknown>>
      const url = addressIn(String(values[address.name]), address)
      mayCall(context, url, address.name, context.egress)
      const keys = () => keysOf(values.credential as string | undefined, row, context)
      if (credential) context.beforeUse?.(keys)
      const search = {
        service: row,
        name: sanitiseToolName(textIn(values, toolInputs?.name) ?? row.tool, row.tool),
        description: textIn(values, toolInputs?.about) ?? row.about,
        address: url,
        headers: readHeaders((values.headers ?? {}) as Json),
        parameters: { ...row.fixed, ...sentParameters(row, values) },
        maxCharacters: Number(values[lengthInput]) || MOST_CHARACTERS,
      }
      return { tools: async () => [webSearchTool({ ...search, keys: await keys() }, context.egress)] }
    },
  })
}

/** The input for headers that an author adds to every call. */
export const searchHeaders = objectField('Headers', {
  ...additional,
  guard: 'credential',
  description: '{"Authorization": "Bearer …"}. The model does not see them',
})

function addressIn(typed: string, { name, path }: { name: string; path: string }): string {
  const address = webAddress(typed, name)
  if (path === '') return address
  if (new URL(address).search !== '') throw new InputError(name, 'the address has a query')
  return `${readBaseURL(address)}${path}`
}

const textIn = (values: Readonly<Record<string, unknown>>, input: string | undefined): string | undefined =>
  input === undefined ? undefined : (values[input] as string)

function sentParameters(
  { sent = {}, sends = () => true }: SearchRow,
  values: Readonly<Record<string, unknown>>,
) {
  const parameters: JsonObject = {}
  for (const [input, name] of Object.entries(sent)) {
    const value = values[input]
    const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0)
    if (!isEmpty && sends(input, values)) parameters[name] = value as Json
  }
  return parameters
}

/** @throws SluiceError `credential_missing` */
async function keysOf(
  id: string | undefined,
  { credential, service }: SearchRow,
  context: Pick<BuildContext, 'credential' | 'nodeId'>,
): Promise<PlacedKey[]> {
  if (!credential) return []
  if (id === undefined)
    throw new SluiceError('credential_missing', {
      node: context.nodeId,
      reason: 'it has none',
      hint: `Give the node a credential of the kind ${credential.kind} with the key of ${service}`,
    })
  const keys: PlacedKey[] = []
  for (const [field, { open, ...place }] of Object.entries(credential.keys)) {
    const value = await providerKey({ nodeKey: undefined, credential: id, field }, context)
    if (value !== undefined) keys.push({ place, value, ...(open ? { open } : {}) })
  }
  return keys
}
