import type { JsonSchema } from '../../contract/tool.ts'
import { isObject } from '../../kit/json.ts'
import { type BodyPlan, PARAMETER_STYLES, type PartPlan } from '../operation.ts'
import type { Located } from './references.ts'
import { type SchemaContext, toModelSchema } from './schema.ts'
import { shortenText } from './schema-keywords.ts'

export type DescribedBody = { plan: BodyPlan; schema: JsonSchema }

/** Media types by preference: those that a model writes best come first. */
const PREFERENCES: readonly (readonly [pattern: RegExp, encoding: BodyPlan['encoding']])[] = [
  [/^application\/json$/, 'json'],
  [/[/+]json$/, 'json'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^multipart\//, 'multipart'],
  [/^(\*|application)\/\*$/, 'json'],
  [/^application\/(jsonl|x-ndjson|json-seq|x-jsonlines)$/, 'jsonLines'],
  [/^text\/(plain|\*)$/, 'text'],
  [/^text\/|[/+](xml|yaml|x-yaml|graphql|javascript|sql|jwt|jose\+jwe)$/, 'text'],
  [/./, 'bytes'],
]

const BASE64 = 'The bytes, as base64.'
const LONGEST_DESCRIPTION = 300

/** Reads a request body of OpenAPI 3; one of its media types is chosen. */
export function readRequestBody({ value, at }: Located, context: SchemaContext): DescribedBody | undefined {
  const body = isObject(value) ? value : {}
  const content = Object.entries(isObject(body.content) ? body.content : {})
  if (content.length === 0) return undefined
  const ranked = content.map(([type, media]) => ({ type, media, ...rankOf(type) }))
  const chosen = ranked.reduce((best, one) => (one.rank < best.rank ? one : best))
  const media = mediaAt(chosen.media, at, context)
  const plan: BodyPlan = {
    required: body.required === true,
    mediaType: concrete(chosen.type, chosen.encoding),
    encoding: chosen.encoding,
    parts: {},
  }
  const schema = describe(bodySchema(plan, media.value, media.at, context), body.description)
  return { plan, schema }
}

function rankOf(type: string): { rank: number; encoding: BodyPlan['encoding'] } {
  const essence = type.split(';', 1)[0]!.trim().toLowerCase()
  const rank = PREFERENCES.findIndex(([pattern]) => pattern.test(essence))
  return { rank, encoding: PREFERENCES[rank]?.[1] ?? 'bytes' }
}

/** The content type to send for a media type, which may be a wildcard. */
function concrete(type: string, encoding: BodyPlan['encoding']): string {
  if (!type.includes('*')) return type.trim()
  if (encoding === 'json') return 'application/json'
  return encoding === 'text' ? 'text/plain' : 'application/octet-stream'
}

function mediaAt(
  media: unknown,
  at: string,
  context: SchemaContext,
): { value: Record<string, unknown>; at: string } {
  try {
    const found = context.references.follow(media, at)
    return { value: isObject(found.value) ? found.value : {}, at: found.at }
  } catch (error) {
    context.note(`the schema of the body is unknown: ${(error as Error).message}`)
    return { value: {}, at }
  }
}

/** The schema of the body for the model; also fills the parts of the plan. */
function bodySchema(
  plan: BodyPlan,
  media: Record<string, unknown>,
  at: string,
  context: SchemaContext,
): JsonSchema {
  if (plan.encoding === 'bytes') return { type: 'string', contentEncoding: 'base64', description: BASE64 }
  const schema = toModelSchema(media.schema, at, context)
  if (plan.encoding === 'text')
    return schema.type === 'string'
      ? schema
      : { type: 'string', description: `The body, as ${plan.mediaType}.` }
  if (plan.encoding === 'jsonLines')
    return media.itemSchema === undefined
      ? { type: 'array', ...(schema.type === 'array' ? schema : { items: schema }) }
      : { type: 'array', items: toModelSchema(media.itemSchema, at, context) }
  if (plan.encoding === 'json') return schema
  if (plan.encoding === 'multipart' && schema.type === 'string')
    return formSchema(plan, { type: 'object', properties: { file: schema }, required: ['file'] }, media)
  return formSchema(plan, schema, media)
}

function formSchema(plan: BodyPlan, schema: JsonSchema, media: Record<string, unknown>): JsonSchema {
  plan.parts = partsOf(schema, media.encoding)
  return plan.encoding === 'multipart' ? withFiles(schema, plan.parts) : schema
}

function partsOf(schema: JsonSchema, encoding: unknown): Record<string, PartPlan> {
  const given = isObject(encoding) ? encoding : {}
  const properties = isObject(schema.properties) ? schema.properties : {}
  const names = new Set([...Object.keys(given), ...Object.keys(properties)])
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const part = partOf(properties[name], given[name])
      return Object.keys(part).length > 0 ? [[name, part]] : []
    }),
  )
}

function partOf(schema: unknown, encoding: unknown): PartPlan {
  const { contentType, style, explode, allowReserved } = isObject(encoding) ? encoding : {}
  const mediaType = typeof contentType === 'string' ? contentType.split(',', 1)[0]!.trim() : undefined
  const knownStyle = PARAMETER_STYLES.find((one) => one === style) ?? 'form'
  return {
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(isFile(schema) ? { file: true } : {}),
    ...(style !== undefined || explode !== undefined
      ? {
          serialization: {
            style: knownStyle,
            explode: typeof explode === 'boolean' ? explode : knownStyle === 'form',
            allowReserved: allowReserved === true,
          },
        }
      : {}),
  }
}

function isFile(schema: unknown): boolean {
  if (!isObject(schema)) return false
  if (schema.type === 'array') return isFile(schema.items)
  return schema.format === 'binary' || schema.contentEncoding === 'base64'
}

/** Describes files as base64, which a model can write. */
function withFiles(schema: JsonSchema, parts: Record<string, PartPlan>): JsonSchema {
  if (!isObject(schema.properties)) return schema
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(
    ([name, property]) => [name, parts[name]?.file ? asBase64(property) : property],
  )
  return { ...schema, properties: Object.fromEntries(properties) }
}

function asBase64({ format: _, ...schema }: JsonSchema): JsonSchema {
  if (schema.type === 'array') return { ...schema, items: asBase64(schema.items as JsonSchema) }
  const description = [schema.description, BASE64].filter((text) => typeof text === 'string').join(' ')
  return { ...schema, contentEncoding: 'base64', description }
}

function describe(schema: JsonSchema, description: unknown): JsonSchema {
  if (typeof description !== 'string' || description === '' || schema.description !== undefined) return schema
  return { ...schema, description: shortenText(description, LONGEST_DESCRIPTION) }
}
