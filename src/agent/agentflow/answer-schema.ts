import type { AnswerField } from '../../contract/step.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'

/** The schema of an answer that is JSON: every field is there, and no other. */
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
  const told = description === '' ? {} : { description }
  if (type === 'stringArray') return { type: 'array', items: { type: 'string' }, ...told }
  if (type === 'jsonArray') return { type: 'array', items: itemSchema(jsonSchema), ...told }
  if (type !== 'enum') return { type, ...told }
  const values = enumValues.split(',').map((value) => value.trim())
  return { type: 'string', enum: values.filter(Boolean), ...told }
}

/** Flowise writes `{"name": {"type": "string"}}`; a whole JSON Schema is understood, too. */
function itemSchema(text: string): JsonSchema {
  const read = parseJson(text)
  if (!isObject(read))
    throw new SluiceError('flow_invalid', { reason: 'the schema of a structured output is no JSON object' })
  if (typeof read.type === 'string') return read as JsonSchema
  const properties = Object.entries(read).filter(([, value]) => isObject(value))
  return objectOf(
    Object.fromEntries(
      properties.map(([key, value]) => {
        const { required: _, ...schema } = value as JsonObject
        return [key, schema as Json]
      }),
    ),
  )
}

/** An answer as the object that it should be; some models put it between fences. @throws SluiceError `provider_failed` */
export function readJsonAnswer(text: string): JsonObject {
  const read = parseJson(text.replace(/^\s*```(?:json)?[^\S\n]*\n([\s\S]*)\n```\s*$/, '$1'))
  if (isObject(read)) return read as JsonObject
  throw new SluiceError('provider_failed', {
    provider: 'The model',
    reason: 'it did not answer with the JSON it was asked for',
  })
}
