import type { AnswerForm } from '../../contract/answer-form.ts'
import type { ModelRequest } from '../../contract/chat-model.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'
import { readToolInput } from '../tool-input.ts'

/** What a model is told about the form of its answer. Providers that cannot enforce a schema have nothing else. */
export function formInstructions(form: AnswerForm): string {
  if (form.type === 'json')
    return `Answer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(form.schema)}`
  const { separator, length } = form
  const between = JSON.stringify(separator)
  return `Answer with a list of ${length === undefined ? 'values' : `exactly ${length} values`}, with ${between} between them and nothing else: ${['one', 'two', 'three'].join(`${separator.trimEnd()} `)}`
}

/** What a provider can enforce of a form. */
export const answerSchemaOf = (form: AnswerForm): Pick<ModelRequest, 'answerSchema'> =>
  form.type === 'json' ? { answerSchema: { name: 'answer', schema: enforceable(form.schema) } } : {}

/** Limits that some providers refuse in a schema. They are in the instructions, and the answer is checked by them. */
const LIMITS = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'format'],
]

function enforceable(schema: JsonSchema): JsonSchema {
  const walk = (value: Json, named: boolean): Json => {
    if (Array.isArray(value)) return value.map((inner) => walk(inner, false))
    if (!isObject(value)) return value
    const kept = Object.entries(value as JsonObject).filter(([key]) => named || !LIMITS.includes(key))
    return Object.fromEntries(kept.map(([key, inner]) => [key, walk(inner, !named && key === 'properties')]))
  }
  return walk(schema, false) as JsonSchema
}

/**
 * Reads an answer by its form. Mistakes that models make are forgiven: a code block around JSON, missing quotes, properties that
 * nobody asked for.
 *
 * @param node the label of the chain, for the error
 * @throws SluiceError `answer_form_wrong`
 */
export function readFormedAnswer(form: AnswerForm, text: string, node: string): Json {
  try {
    return form.type === 'json' ? readJson(form, text) : readList(form, text)
  } catch (error) {
    throw new SluiceError(
      'answer_form_wrong',
      { node, reason: reasonOf(error), nodeId: form.nodeId },
      { cause: error },
    )
  }
}

function readJson({ schema, within }: Extract<AnswerForm, { type: 'json' }>, text: string): Json {
  const found = lenientJson(text.trim()) ?? lenientJson(jsonWithin(text))
  if (found === undefined) throw new Error('it is not JSON')
  const whole = within !== undefined && !(isObject(found) && within in found) ? { [within]: found } : found
  const known = onlyKnown(whole, schema)
  if (!isObject(known)) throw new Error('it is not a JSON object')
  const read = readToolInput(JSON.stringify(known), schema)
  return within === undefined ? read : read[within]!
}

/** What stands in a code block, or from the first bracket to the last one. */
function jsonWithin(text: string): string {
  const block = /```(?:json)?([\s\S]*?)```/.exec(text)?.[1]
  const [begin, end] = [text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))]
  return (block ?? (begin < 0 ? '' : text.slice(begin, end + 1))).trim()
}

/** A value without the properties that a schema does not allow. */
function onlyKnown(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value
  const { properties, additionalProperties, items } = schema as JsonSchema
  if (Array.isArray(value)) return value.map((inner) => onlyKnown(inner, items))
  if (!isObject(value) || !isObject(properties)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([name]) => additionalProperties !== false || Object.hasOwn(properties, name))
      .map(([name, inner]) => [
        name,
        onlyKnown(inner, Object.hasOwn(properties, name) ? (properties as JsonObject)[name] : undefined),
      ]),
  )
}

function readList({ separator, length }: Extract<AnswerForm, { type: 'list' }>, text: string): string[] {
  const values = text
    .trim()
    .split(separator.trim() || separator)
    .map((value) => value.trim())
    .filter((value) => value !== '')
  if (length !== undefined && values.length !== length)
    throw new Error(`it has ${values.length} values in place of ${length}`)
  return values
}
