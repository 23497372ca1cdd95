import type { AnswerField } from '../../contract/step.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'

/** The schema of a JSON answer: all fields are required, no others are allowed. */
export function buildAnswerSchema(fields: readonly AnswerField[]): JsonSchema {
  return objectOf(Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])))
}

const objectOf = (properties: JsonObject): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

function fieldSchema({ type, enumValues, jsonSchema, description }: AnswerField): JsonSchema {
  const extra = description === '' ? {} : { description }
  if (type === 'stringArray') return { type: 'array', items: { type: 'string' }, ...extra }
  if (type === 'jsonArray') return { type: 'array', items: itemSchema(jsonSchema), ...extra }
  if (type !== 'enum') return { type, ...extra }
  const values = enumValues.split(',').map((value) => value.trim())
  return { type: 'string', enum: values.filter(Boolean), ...extra }
}

/** Reads Flowise's form, `{"name": {"type": "string"}}`, or a complete JSON Schema. */
function itemSchema(text: string): JsonSchema {
  const parsed = parseJson(text)
  if (!isObject(parsed))
    throw new SluiceError('flow_invalid', {
      reason: 'the schema of a structured output is not a JSON object',
    })
  if (typeof parsed.type === 'string') return parsed as JsonSchema
  const properties = Object.entries(parsed).filter(([, value]) => isObject(value))
  return objectOf(
    Object.fromEntries(
      properties.map(([key, value]) => {
        const { required: _, ...schema } = value as JsonObject
        return [key, schema as Json]
      }),
    ),
  )
}

/** Parses a JSON answer. Some models put it into a markdown code block. @throws SluiceError `provider_failed` */
export function readJsonAnswer(text: string): JsonObject {
  const parsed = parseJson(text.replace(/^\s*```(?:json)?[^\S\n]*\n([\s\S]*)\n```\s*$/, '$1'))
  if (isObject(parsed)) return parsed as JsonObject
  throw new SluiceError('provider_failed', {
    provider: 'The model',
    reason: 'its answer is not the requested JSON object',
  })
}
