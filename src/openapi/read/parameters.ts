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

/** A parameter as it is sent, and its schema as the model sees it. */
export type DescribedParameter = { parameter: OperationParameter; schema: JsonSchema }

const USUAL: Record<ParameterLocation, ParameterStyle> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  querystring: 'form',
  cookie: 'form',
}

/** What the description may not say by parameters, for other places of it do (OpenAPI 3.2, 4.12.2). */
const SAID_ELSEWHERE = ['accept', 'content-type', 'authorization']

const LONGEST_DESCRIPTION = 500

/** Parameters in the terms of OpenAPI 3 as described. Places of the path that no parameter names are texts. */
export function readOperationParameters(
  parameters: readonly Located[],
  path: string,
  context: SchemaContext,
): DescribedParameter[] {
  const places = placesOf(path)
  const described = parameters.flatMap(({ value, at }) => {
    const told = readParameter(value as Record<string, unknown>, at, context)
    if (told?.parameter.in === 'path') {
      if (!places.includes(told.parameter.name)) {
        context.note(`the path has no place for the parameter ${told.parameter.name}`)
        return []
      }
      if (path.includes(`{+${told.parameter.name}}`)) told.parameter.allowReserved = true
    }
    return told ? [told] : []
  })
  const named = new Set(
    described.filter(({ parameter }) => parameter.in === 'path').map(({ parameter }) => parameter.name),
  )
  const unnamed = places.filter((place) => !named.has(place))
  if (unnamed.length > 0) context.note(`nothing is said of ${unnamed.join(', ')} in the path: taken as text`)
  return [
    ...described,
    ...unnamed.map((name) => ({ parameter: pathParameter(name), schema: { type: 'string' } })),
  ]
}

/** The names in braces, each once; `{+name}` is the manner of Google. */
const placesOf = (path: string): string[] => [
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
  if (typeof name !== 'string' || !isPlace(place)) {
    context.note(`the parameter ${String(name)} is left out: it has no place in the request`)
    return undefined
  }
  if (place === 'header' && !isHeaderName(name)) {
    context.note(`the parameter ${name} is left out: no header can be called so`)
    return undefined
  }
  if (place === 'header' && SAID_ELSEWHERE.includes(name.toLowerCase())) return undefined
  const content = isObject(parameter.content) ? Object.entries(parameter.content)[0] : undefined
  const media = content && isObject(content[1]) ? content[1] : undefined
  const schema = toModelSchema(media ? media.schema : parameter.schema, at, context)
  const style = isStyle(parameter.style) ? parameter.style : USUAL[place]
  const told = typeof description === 'string' ? shortenText(description, LONGEST_DESCRIPTION) : ''
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
      ...(place === 'path' ? filled(schema) : {}),
      ...(told === '' ? {} : { description: told }),
    },
  }
}

/** Nothing in a place of a path would make it another path. */
function filled(schema: JsonSchema): JsonSchema {
  const limit = LEAST[String(schema.type)]
  return limit === undefined ? {} : { [limit]: Math.max(1, Number(schema[limit] ?? 0)) }
}

const LEAST: Record<string, string> = { string: 'minLength', array: 'minItems', object: 'minProperties' }

/** Parameters of a path and of an operation, each followed to where it stands; an operation's own wins. */
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
        if (!isObject(found.value)) throw new Error('it is no object')
        const { in: place, name } = found.value
        merged.set(`${String(place)} ${String(name)}`, found)
      } catch (error) {
        note(`the parameter ${refOf(parameter) ?? ''} is left out: ${(error as Error).message}`)
      }
    }
  return [...merged.values()]
}

/** RFC 9110, 5.6.2. */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)

const isPlace = (value: unknown): value is ParameterLocation =>
  PARAMETER_LOCATIONS.includes(value as ParameterLocation)
const isStyle = (value: unknown): value is ParameterStyle =>
  PARAMETER_STYLES.includes(value as ParameterStyle)
