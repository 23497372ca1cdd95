import type { Field } from '../../contract/field.ts'
import type { PromptPart } from '../../contract/prompt.ts'
import { InputError } from '../../cards/input-error.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'
import { valueNames } from './prompt-text.ts'

/** A place without quotes as the value of a key: `{"text": {{question}}}`. */
const BARE_PLACE = /(:\s*)(\{\{[^{}"\n]+\}\})(?=\s*[,}])/g

/** The values of a prompt by name, `{"product": "socks"}`, also as text with small mistakes. */
export const promptValuesField = (): Field<JsonObject> => ({
  type: 'json',
  label: 'Format Prompt Values',
  fallback: {},
  main: true,
  description:
    'A value for each {name} of the texts. {{question}}, {{$vars.NAME}} and {{llmChain_0.data.instance}}, the answer of another chain, may stand in them. The one name without a value is the question',
  read(raw) {
    // Only a line leads here, and no value names its node.
    if (Array.isArray(raw)) return {}
    const value = typeof raw === 'string' ? lenientJson(raw.replace(BARE_PLACE, '$1"$2"')) : raw
    if (isObject(value)) return value as JsonObject
    throw new Error('expected a JSON object: {"name": "value"}')
  },
})

/** The name of the value that takes the form of the answer, where a prompt says at which place. */
export const FORM_VALUE = 'format_instructions'

/**
 * The name of the value that the question of the user is: the only one that has no value, or else an empty one. Undefined where all
 * have values.
 *
 * @param input the input of the card that the prompt plugs into
 * @throws InputError names of several values that are missing
 */
export function questionValue(prompt: PromptPart, input: string): string | undefined {
  const names = valueNames(prompt).filter((name) => name !== FORM_VALUE)
  const drawnValue = (name: string) => (Object.hasOwn(prompt.values, name) ? prompt.values[name] : undefined)
  const missing = names.filter((name) => drawnValue(name) === undefined || drawnValue(name) === null)
  if (missing.length > 1) {
    const listed = missing.join(', ')
    throw new InputError(
      input,
      `the prompt ${prompt.nodeId} has no values for ${listed}: the question can be one of them, and Format Prompt Values has the others`,
    )
  }
  const empty = names.filter((name) => drawnValue(name) === '')
  return missing[0] ?? (empty.length === 1 ? empty[0] : undefined)
}
