import { z } from 'zod'
import type { JsonSchema } from '../contract/tool.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'

/**
 * Reads what a model wrote as the input of a tool. Models write `"5"` for 5 and JSON text for an object; that is read
 * as it was meant. What still does not fit is told in words that the model can learn from.
 *
 * @throws Error with the reason, fit for a model
 */
export function readToolInput(written: string, schema: JsonSchema): JsonObject {
  const parsed = written.trim() === '' ? {} : parseJson(written)
  if (!isObject(parsed)) throw new Error('The input is not a JSON object')
  const input = mend(parsed, schema) as JsonObject
  const verdict = checkOf(schema)?.safeParse(input)
  if (verdict === undefined || verdict.success) return input
  const wrong = verdict.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  throw new Error(`The input does not fit the schema of the tool. ${wrong.join('; ')}`.slice(0, 1000))
}

type Check = z.ZodType

const checks = new WeakMap<JsonSchema, { check: Check | undefined }>()

/** The check of a schema, made once; undefined for a schema with words that it does not know: the API will judge. */
function checkOf(schema: JsonSchema): Check | undefined {
  let made = checks.get(schema)
  if (!made) {
    made = { check: makeCheck(schema) }
    checks.set(schema, made)
  }
  return made.check
}

function makeCheck(schema: JsonSchema): Check | undefined {
  try {
    return z.fromJSONSchema(schema)
  } catch {
    return undefined
  }
}

function mend(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value
  const mended =
    typeof value === 'string' ? mendText(value, schema.type as Json) : mendPlain(value, schema.type as Json)
  if (Array.isArray(mended)) return mended.map((inner) => mend(inner, schema.items as Json))
  if (!isObject(mended)) return mended
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(mended).map(([key, inner]) => [
      key,
      mend(inner as Json, Object.hasOwn(properties, key) ? (properties[key] as Json) : undefined),
    ]),
  )
}

/** A text where another type is wanted. */
function mendText(text: string, type: Json): Json {
  const trimmed = text.trim()
  if ((type === 'number' || type === 'integer') && trimmed !== '' && Number.isFinite(Number(trimmed)))
    return Number(trimmed)
  if (type === 'boolean' && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true'
  if (type !== 'object' && type !== 'array') return text
  const read = parseJson(text)
  return (type === 'array' ? Array.isArray(read) : isObject(read)) ? read! : text
}

/** A number or a switch where a text is wanted. */
const mendPlain = (value: Json, type: Json): Json =>
  type === 'string' && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value
