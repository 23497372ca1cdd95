import { isObject } from '../../kit/json.ts'
import type { Operation, AuthScheme } from '../operation.ts'
import type { FoundOperation } from './find-operations.ts'
import { toolInputSchema } from './input-schema.ts'
import { createNames } from './names.ts'
import { mergedParameters, readOperationParameters, type DescribedParameter } from './parameters.ts'
import type { Located, References } from './references.ts'
import { readRequestBody } from './request-body.ts'
import type { SchemaContext } from './schema.ts'
import { shortenText } from './schema-keywords.ts'
import { readRequirements, readSchemes } from './security.ts'
import { chooseServer, type ServerChoice } from './servers.ts'
import {
  type OpenApi3Operation,
  toOpenApi3Operation,
  toOpenApi3Schemes,
  toOpenApi3Servers,
} from './swagger2.ts'

const WITHOUT_BODY = ['GET', 'HEAD']
/** If a description does not mention security, a token is sent if there is one. */
const DEFAULT_SECURITY: AuthScheme[][] = [[{ schemeName: 'token', type: 'bearer' }], []]
/** The most that providers accept, in characters. */
const LONGEST_DESCRIPTION = 1024

type Tree = Record<string, unknown>

/** Creates a reader for the operations of one description. */
export function operationReader(
  root: Tree,
  at: string,
  references: References,
  choice: ServerChoice,
  headers: readonly string[],
): (one: FoundOperation) => Operation {
  const isSwagger2 = root.swagger !== undefined
  const components = isObject(root.components) ? root.components : {}
  const rootServers = isSwagger2 ? toOpenApi3Servers(root) : root.servers
  const schemes = isSwagger2 ? toOpenApi3Schemes(root) : components.securitySchemes
  const known: SchemaContext['known'] = new WeakMap()
  const needs = readSchemes(isObject(schemes) ? schemes : {}, at, references)
  const readSecurity = (requirements: unknown, note: (reason: string) => void) =>
    requirements === undefined && needs.size === 0
      ? DEFAULT_SECURITY
      : readRequirements(requirements, needs, note)
  const hidden = hiddenParameters(headers, [...needs.values()])
  const nameOf = createNames()

  return ({ method, path, operation: { value: operation, at }, item }) => {
    const notes = new Set<string>()
    const note = (reason: string) => void notes.add(reason)
    const context: SchemaContext = { references, known, note }
    const parameters = mergedParameters(
      [
        { value: item.value.parameters, at: item.at },
        { value: operation.parameters, at },
      ],
      references,
      note,
    )
    const converted = isSwagger2
      ? toOpenApi3Operation(operation, parameters, root, at)
      : asOpenApi3Operation(operation, parameters, item.value, at, context)
    const visibleParameters = readOperationParameters(converted.parameters, path, context).filter(
      ({ parameter }) => !hidden(parameter),
    )
    const body = WITHOUT_BODY.includes(method)
      ? undefined
      : converted.requestBody && readRequestBody(converted.requestBody, context)
    if (converted.requestBody && !body) note(`a ${method} is sent without a body`)
    const operationId = typeof operation.operationId === 'string' ? operation.operationId : undefined
    return {
      name: nameOf(method, path, operationId),
      ...(operationId === undefined ? {} : { operationId }),
      method,
      path,
      description: operationDescription(operation, method, path),
      input: toolInputSchema(visibleParameters, body),
      server: chooseServer(converted.servers, rootServers, choice),
      parameters: visibleParameters.map(({ parameter }) => parameter),
      ...(body ? { body: body.plan } : {}),
      security: readSecurity(converted.security ?? root.security, note),
      notes: [...notes],
    }
  }
}

function asOpenApi3Operation(
  operation: Tree,
  parameters: Located[],
  item: Tree,
  at: string,
  { references, note }: SchemaContext,
): OpenApi3Operation {
  const { requestBody, servers, security } = operation
  return { parameters, requestBody: bodyAt(), servers: servers ?? item.servers, security }

  function bodyAt(): Located | undefined {
    try {
      return requestBody === undefined ? undefined : references.follow(requestBody, at)
    } catch (error) {
      note(`the request body is left out: ${(error as Error).message}`)
      return undefined
    }
  }
}

/** Parameters that the model does not give: headers that are set, and keys of credentials. */
function hiddenParameters(headers: readonly string[], needs: readonly AuthScheme[]) {
  const keys = needs.flatMap((need) =>
    need.type === 'apiKey' ? [`${need.in} ${need.name.toLowerCase()}`] : [],
  )
  const set = new Set([...headers.map((name) => `header ${name.toLowerCase()}`), ...keys])
  return ({ in: place, name }: DescribedParameter['parameter']) => set.has(`${place} ${name.toLowerCase()}`)
}

function operationDescription(
  { summary, description, deprecated }: Tree,
  method: string,
  path: string,
): string {
  const texts = [summary, description].filter((text) => typeof text === 'string' && text.trim() !== '')
  const repeatsSummary = texts.length === 2 && String(texts[1]).startsWith(String(texts[0]))
  const used = repeatsSummary ? texts.slice(1) : texts
  const text = [...used, ...(deprecated === true ? ['Deprecated.'] : [])].join('\n')
  return shortenText(text === '' ? `${method} ${path}` : text, LONGEST_DESCRIPTION)
}
