import type { PromptPart } from '../../contract/prompt.ts'
import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { choiceField, textField } from '../../cards/field.ts'
import type { Field } from '../../contract/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { promptPieces, valueNames } from '../../flow/prompts/prompt-text.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'

const EXAMPLES: Field<JsonObject[]> = {
  type: 'code',
  language: 'json',
  label: 'Examples',
  fallback: [],
  main: true,
  description:
    '[{"word": "happy", "antonym": "sad"}]: the values of the example prompt, once for each example',
  read(raw) {
    const value = typeof raw === 'string' ? lenientJson(raw) : raw
    if (Array.isArray(value) && value.every(isObject)) return value as JsonObject[]
    throw new Error('expected a list: [{"name": "value"}]')
  },
}

export const fewShotPromptTemplate = defineNode({
  kind: 'prompt',
  name: 'fewShotPromptTemplate',
  label: 'Few Shot Prompt Template',
  version: 1,
  category: 'Prompts',
  type: 'FewShotPromptTemplate',
  baseClasses: ['FewShotPromptTemplate', 'BaseStringPromptTemplate', 'BasePromptTemplate', 'Runnable'],
  description: 'A prompt with examples between its beginning and its end',
  fields: {
    examples: EXAMPLES,
    prefix: textField('Prefix', '', { multiline: true, description: 'The text before the examples' }),
    suffix: textField('Suffix', '{question}', {
      multiline: true,
      description: 'The text after the examples, with the {name} of the question',
    }),
    exampleSeparator: textField('Example Separator', '\n\n', {
      description: 'What stands between the examples; \\n begins a line',
    }),
    templateFormat: choiceField('Template Format', ['f-string', 'jinja-2'], 'f-string', {
      description: 'How names are written: {name}, or {{ name }}',
    }),
  },
  anchors: { examplePrompt: anchor('prompt', 'Example Prompt', 'PromptTemplate') },
  build({ values, parts }, { nodeId }): PromptPart {
    const braces = values.templateFormat === 'f-string' ? 'single' : 'double'
    const example = parts.examplePrompt!
    const examples = values.examples.map((one, index) => written(example, one, index))
    const separator = lines(values.exampleSeparator)
    const joined = [...(values.prefix === '' ? [] : ['']), ...examples, ''].join(separator)
    return {
      nodeId,
      messages: [
        {
          role: 'user',
          pieces: [
            ...promptPieces(lines(values.prefix), braces),
            { type: 'text', text: joined },
            ...promptPieces(lines(values.suffix), braces),
          ],
        },
      ],
      values: {},
    }
  },
})

/** Exports have line ends of these one-line inputs as two signs. */
const lines = (text: string) => text.replaceAll('\\n', '\n')

/** The example prompt with the values of one example. @throws InputError for a value that is missing */
function written(prompt: PromptPart, values: JsonObject, index: number): string {
  const all: JsonObject = { ...prompt.values, ...values }
  const missing = valueNames(prompt).filter((name) => !Object.hasOwn(all, name))
  if (missing.length > 0)
    throw new InputError('examples', `example ${index + 1} has no value for ${missing.join(', ')}`)
  return prompt.messages
    .flatMap(({ pieces }) => pieces)
    .map((piece) => {
      if (piece.type === 'text') return piece.text
      if (piece.type === 'place') return `{${piece.name}}`
      const value = all[piece.name]!
      return typeof value === 'string' ? value : JSON.stringify(value)
    })
    .join('')
}
