import type { JsonSchema } from '../../contract/tool.ts'
import { isObject } from '../../kit/json.ts'
import {
  PARAMETER_LOCATIONS,
  type OperationParameter,
  type ParameterLocation,
  PARAMETER_STYLES,
  type ParameterStyle,
} from '../operation.ts'
import { type Located, type References, refOf } from './references.ts'
import { type SchemaContext, toModelSchema } from './schema.ts'
import { shortenText } from './schema-keywords.ts'

/** A parameter as it is sent, and its schema for the model. */
export type DescribedParameter = { parameter: OperationParameter; schema: JsonSchema }

const DEFAULT_STYLES: Record<ParameterLocation, ParameterStyle> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  querystring: 'form',
  cookie: 'form',
}

/** Header parameters that are ignored, because other parts of a description define them (OpenAPI 3.2, 4.12.2). */
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization']

const LONGEST_DESCRIPTION = 500

/** Reads the parameters of OpenAPI 3. Path placeholders without a parameter are texts. */
export function readOperationParameters(
  parameters: readonly Located[],
  path: string,
  context: SchemaContext,
): DescribedParameter[] {
  const placeholders = placeholdersOf(path)
  const described = parameters.flatMap(({ value, at }) => {
    const described = readParameter(value as Record<string, unknown>, at, context)
    if (described?.parameter.in === 'path') {
      if (!placeholders.includes(described.parameter.name)) {
        context.note(`the path has no placeholder for the parameter ${described.parameter.name}`)
        return []
      }
      if (path.includes(`{+${described.parameter.name}}`)) described.parameter.allowReserved = true
    }
    return described ? [described] : []
  })
  const named = new Set(
    described.filter(({ parameter }) => parameter.in === 'path').map(({ parameter }) => parameter.name),
  )
  const unnamed = placeholders.filter((place) => !named.has(place))
  if (unnamed.length > 0)
    context.note(`the path parameters ${unnamed.join(', ')} are not described: taken as text`)
  return [
    ...described,
    ...unnamed.map((name) => ({ parameter: pathParameter(name), schema: { type: 'string' } })),
  ]
}

/** The names in braces, each once; `{+name}` is Google's notation. */
const placeholdersOf = (path: string): string[] => [
  ...new Set([...path.matchAll(/\{\+?([^{}]+)\}/g)].map((match) => match[1]!)),
]

const pathParameter = (name: string): OperationParameter => ({
  name,
  in: 'path',
  style: 'simple',
  explode: false,
  allowReserved: false,
  required: true,
})

function readParameter(
  parameter: Record<string, unknown>,
  at: string,
  context: SchemaContext,
): DescribedParameter | undefined {
  const { name, in: place, description } = parameter
  if (typeof name !== 'string' || !isLocation(place)) {
    context.note(`the parameter ${String(name)} is left out: it has no valid location`)
    return undefined
  }
  if (place === 'header' && !isHeaderName(name)) {
    context.note(`the parameter ${name} is left out: it is not a valid header name`)
    return undefined
  }
  if (place === 'header' && IGNORED_HEADERS.includes(name.toLowerCase())) return undefined
  const content = isObject(parameter.content) ? Object.entries(parameter.content)[0] : undefined
  const media = content && isObject(content[1]) ? content[1] : undefined
  const schema = toModelSchema(media ? media.schema : parameter.schema, at, context)
  const style = isStyle(parameter.style) ? parameter.style : DEFAULT_STYLES[place]
  const described = typeof description === 'string' ? shortenText(description, LONGEST_DESCRIPTION) : ''
  return {
    parameter: {
      name,
      in: place,
      style,
      explode:
        typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form' || style === 'cookie',
      allowReserved: parameter.allowReserved === true,
      required: parameter.required === true || place === 'path',
      ...(content ? { mediaType: content[0] } : {}),
    },
    schema: {
      ...schema,
      ...(place === 'path' ? minimumLength(schema) : {}),
      ...(described === '' ? {} : { description: described }),
    },
  }
}

/** An empty value would change the path. */
function minimumLength(schema: JsonSchema): JsonSchema {
  const limit = MINIMUM_KEYWORDS[String(schema.type)]
  return limit === undefined ? {} : { [limit]: Math.max(1, Number(schema[limit] ?? 0)) }
}

const MINIMUM_KEYWORDS: Record<string, string> = {
  string: 'minLength',
  array: 'minItems',
  object: 'minProperties',
}

/** Parameters of a path item and of an operation, references resolved; those of the operation win. */
export function mergedParameters(
  lists: readonly { value: unknown; at: string }[],
  references: References,
  note: (reason: string) => void,
): Located[] {
  const merged = new Map<string, Located>()
  for (const { value, at } of lists)
    for (const parameter of Array.isArray(value) ? value : []) {
      try {
        const found = references.follow(parameter, at)
        if (!isObject(found.value)) throw new Error('it is not an object')
        const { in: place, name } = found.value
        merged.set(`${String(place)} ${String(name)}`, found)
      } catch (error) {
        note(`the parameter ${refOf(parameter) ?? ''} is left out: ${(error as Error).message}`)
      }
    }
  return [...merged.values()]
}

/** Whether a name is a token (RFC 9110, 5.6.2). */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)

const isLocation = (value: unknown): value is ParameterLocation =>
  PARAMETER_LOCATIONS.includes(value as ParameterLocation)
const isStyle = (value: unknown): value is ParameterStyle =>
  PARAMETER_STYLES.includes(value as ParameterStyle)
