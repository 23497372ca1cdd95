import type { JsonSchema } from '../../contract/tool.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import {
  GROUPS,
  type Operation,
  type ReadApi,
  type RefusedOperation,
  type SecurityNeed,
} from '../operation.ts'
import { parseTree } from './document.ts'
import { createNames } from './names.ts'
import { readParameters, type ToldSlot } from './parameters.ts'
import { createReferences, type Found, type References } from './references.ts'
import { readRequestBody, type ToldBody } from './request-body.ts'
import type { SchemaContext } from './schema.ts'
import { shortened } from './schema-keywords.ts'
import { readRequirements, readSchemes } from './security.ts'
import { chooseServer, readServers, type ServerChoice } from './servers.ts'
import {
  mergedParameters,
  type ModernOperation,
  modernOperation,
  modernSchemes,
  modernServers,
} from './swagger2.ts'

export type ReadOptions = {
  /** Where the description was found, if it was found anywhere. */
  link?: string
  selectedServer?: string
  serverVariables?: JsonObject
  /** Names of headers that are set already: the model is not asked for them. */
  headers?: readonly string[]
}

/** How a description that came from nowhere is addressed. */
export const NO_LINK = 'description:/openapi'

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'query']
const BODILESS = ['GET', 'HEAD']
/** Where a description says nothing of security, a token is sent if there is one. */
const UNSAID: SecurityNeed[][] = [[{ scheme: 'token', type: 'bearer' }], []]
const MOST_OPERATIONS = 10_000
/** Providers take no more. */
const LONGEST_DESCRIPTION = 1024

type Tree = Record<string, unknown>

/**
 * Reads a description of an API: OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, as JSON or YAML. What is wrong with an operation
 * refuses that operation, or is noted at it; the others are not concerned.
 *
 * @param texts the description by its address, and further documents by theirs
 * @throws Error with the reason where the text is no description at all
 */
export function readApi(texts: Readonly<Record<string, string>>, options: ReadOptions = {}): ReadApi {
  const at = options.link ?? NO_LINK
  const documents = new Map(Object.entries(texts).map(([address, text]) => [address, parseTree(text)]))
  const root = documents.get(at)
  if (!isObject(root)) throw new Error('it is no OpenAPI description')
  const version = root.openapi ?? root.swagger
  if (typeof version !== 'string' && typeof version !== 'number')
    throw new Error('it is no OpenAPI description: it names no version of "openapi" or "swagger"')
  if (typeof root.$self === 'string' && URL.canParse(root.$self, at))
    documents.set(new URL(root.$self, at).href, root)
  const references = createReferences(documents)
  const info = isObject(root.info) ? root.info : {}
  const choice = choiceOf(options)
  const found = findOperations(root, at, references)
  const operations: Operation[] = []
  const refused: RefusedOperation[] = [...found.refused]
  const reader = operationReader(root, at, references, choice, options.headers ?? [])
  for (const one of found.operations) {
    try {
      operations.push(reader(one))
    } catch (error) {
      refused.push({ method: one.method, path: one.path, reason: (error as Error).message })
    }
  }
  return {
    title: typeof info.title === 'string' ? shortened(info.title, 100) : '',
    version: String(version),
    servers: readServers(root.swagger ? modernServers(root) : root.servers, choice).map(({ url }) => url),
    operations,
    refused,
    missing: [...references.missing],
  }
}

const choiceOf = ({ link, selectedServer, serverVariables = {} }: ReadOptions): ServerChoice => ({
  variables: serverVariables,
  ...(link === undefined ? {} : { link }),
  ...(selectedServer === undefined ? {} : { selected: selectedServer }),
})

type FoundOperation = { method: string; path: string; operation: Tree; item: Tree; at: string }

function findOperations(root: Tree, at: string, references: References) {
  const operations: FoundOperation[] = []
  const refused: RefusedOperation[] = []
  for (const [path, written] of Object.entries(isObject(root.paths) ? root.paths : {})) {
    if (!path.startsWith('/')) continue
    for (const { method, value, item, at: place, reason } of operationsOf(written, at, references)) {
      if (isObject(value) && operations.length < MOST_OPERATIONS)
        operations.push({ method: method.toUpperCase(), path, operation: value, item, at: place })
      else refused.push({ method: method.toUpperCase(), path, reason: reason ?? 'it is no operation' })
    }
  }
  return { operations, refused }
}

type Candidate = { method: string; value: unknown; item: Tree; at: string; reason?: string }

/** The operations of a path, also where single ones stand elsewhere. */
function operationsOf(written: unknown, at: string, references: References): Candidate[] {
  try {
    const { value, at: place } = references.follow(written, at)
    const item = { ...(isObject(value) ? value : {}), ...(isObject(written) ? written : {}) }
    const additional = isObject(item.additionalOperations) ? item.additionalOperations : {}
    const named = [...METHODS.flatMap((method) => (method in item ? [[method, item[method]] as const] : []))]
    return [...named, ...Object.entries(additional)].map(([method, operation]) => {
      try {
        return { method, item, ...references.follow(operation, place) }
      } catch (error) {
        return { method, item, value: undefined, at: place, reason: (error as Error).message }
      }
    })
  } catch (error) {
    return [{ method: '*', value: undefined, item: {}, at, reason: (error as Error).message }]
  }
}

function operationReader(
  root: Tree,
  at: string,
  references: References,
  choice: ServerChoice,
  headers: readonly string[],
): (one: FoundOperation) => Operation {
  const isOld = root.swagger !== undefined
  const components = isObject(root.components) ? root.components : {}
  const rootServers = isOld ? modernServers(root) : root.servers
  const schemes = isOld ? modernSchemes(root) : components.securitySchemes
  const known: SchemaContext['known'] = new WeakMap()
  const needs = readSchemes(isObject(schemes) ? schemes : {}, at, references)
  const readSecurity = (requirements: unknown, note: (reason: string) => void) =>
    requirements === undefined && needs.size === 0 ? UNSAID : readRequirements(requirements, needs, note)
  const hidden = hiddenSlots(headers, [...needs.values()])
  const nameOf = createNames()

  return ({ method, path, operation, item, at }) => {
    const notes = new Set<string>()
    const note = (reason: string) => void notes.add(reason)
    const context: SchemaContext = { references, known, note }
    const parameters = mergedParameters(
      [
        { value: item.parameters, at },
        { value: operation.parameters, at },
      ],
      references,
      note,
    )
    const modern = isOld
      ? modernOperation(operation, parameters, root, at)
      : plainOperation(operation, parameters, item, at, context)
    const told = readParameters(modern.parameters, path, context).filter(({ slot }) => !hidden(slot))
    const body = BODILESS.includes(method)
      ? undefined
      : modern.requestBody && readRequestBody(modern.requestBody, context)
    if (modern.requestBody && !body) note(`a ${method} is sent without a body`)
    const operationId = typeof operation.operationId === 'string' ? operation.operationId : undefined
    return {
      name: nameOf(method, path, operationId),
      ...(operationId === undefined ? {} : { operationId }),
      method,
      path,
      description: described(operation, method, path),
      input: inputOf(told, body),
      server: chooseServer(modern.servers, rootServers, choice),
      slots: told.map(({ slot }) => slot),
      ...(body ? { body: body.plan } : {}),
      security: readSecurity(modern.security ?? root.security, note),
      notes: [...notes],
    }
  }
}

function plainOperation(
  operation: Tree,
  parameters: Found[],
  item: Tree,
  at: string,
  { references, note }: SchemaContext,
): ModernOperation {
  const { requestBody, servers, security } = operation
  return { parameters, requestBody: bodyAt(), servers: servers ?? item.servers, security }

  function bodyAt(): Found | undefined {
    try {
      return requestBody === undefined ? undefined : references.follow(requestBody, at)
    } catch (error) {
      note(`the request body is left out: ${(error as Error).message}`)
      return undefined
    }
  }
}

/** What others fill in: headers that are set, and keys that credentials hold. */
function hiddenSlots(headers: readonly string[], needs: readonly SecurityNeed[]) {
  const keys = needs.flatMap((need) =>
    need.type === 'apiKey' ? [`${need.in} ${need.name.toLowerCase()}`] : [],
  )
  const set = new Set([...headers.map((name) => `header ${name.toLowerCase()}`), ...keys])
  return ({ in: place, name }: ToldSlot['slot']) => set.has(`${place} ${name.toLowerCase()}`)
}

function described({ summary, description, deprecated }: Tree, method: string, path: string): string {
  const texts = [summary, description].filter((text) => typeof text === 'string' && text.trim() !== '')
  const said = texts.length === 2 && String(texts[1]).startsWith(String(texts[0])) ? texts.slice(1) : texts
  const text = [...said, ...(deprecated === true ? ['Deprecated.'] : [])].join('\n')
  return shortened(text === '' ? `${method} ${path}` : text, LONGEST_DESCRIPTION)
}

/** The input of a tool: an object of groups, each an object of the parameters that go to one place. */
function inputOf(told: readonly ToldSlot[], body: ToldBody | undefined): JsonSchema {
  const groups = new Map<string, ToldSlot[]>()
  for (const one of told) {
    const group = GROUPS[one.slot.in]
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  const properties: [string, JsonSchema][] = [...groups].map(([group, slots]) => [group, groupOf(slots)])
  if (body) properties.push(['RequestBody', body.schema])
  const required = [...groups]
    .filter(([, slots]) => slots.some(({ slot }) => slot.required))
    .map(([group]) => group)
  if (body?.plan.required) required.push('RequestBody')
  return closed(properties, required)
}

const groupOf = (slots: readonly ToldSlot[]): JsonSchema =>
  closed(
    slots.map(({ slot, schema }) => [slot.name, schema]),
    slots.filter(({ slot }) => slot.required).map(({ slot }) => slot.name),
  )

const closed = (properties: readonly (readonly [string, JsonSchema])[], required: string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})
