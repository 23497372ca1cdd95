import { choiceField, rowListField, textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { JsonObject } from '../../kit/json.ts'
import { parserCard } from './parser-card.ts'

const TYPES = ['string', 'number', 'boolean'] as const

/** What the node begins with, as Flowise's. */
const DEFAULT: readonly JsonObject[] = [
  { property: 'answer', type: 'string', description: "answer to the user's question" },
  {
    property: 'source',
    type: 'string',
    description: 'sources used to answer the question, should be websites',
  },
]

export const structuredOutputParser = parserCard({
  name: 'structuredOutputParser',
  label: 'Structured Output Parser',
  type: 'StructuredOutputParser',
  description: 'The answer is a JSON object with these properties',
  fields: {
    jsonStructure: rowListField('JSON Structure', {
      main: true,
      description: 'The properties of the answer. Without any: answer and source',
      columns: {
        property: textField('Property', ''),
        type: choiceField('Type', TYPES, 'string'),
        description: textField('Description', '', { description: 'Tells the model what the value is' }),
      },
    }),
  },
  shape({ jsonStructure }) {
    const rows = jsonStructure.length > 0 ? jsonStructure : DEFAULT
    const properties = Object.fromEntries(rows.map((row, index) => propertyOf(row, index)))
    return {
      type: 'json',
      schema: {
        type: 'object',
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      },
    }
  },
})

function propertyOf({ property, type = 'string', description }: JsonObject, index: number) {
  const refuse = (reason: string) => new InputError('jsonStructure', `row ${index + 1} ${reason}`)
  if (typeof property !== 'string' || property.trim() === '') throw refuse('has no name of a property')
  const found = TYPES.find((one) => one === (type === '' || type === null ? 'string' : type))
  if (!found) throw refuse(`has the type ${JSON.stringify(type)}; there are ${TYPES.join(', ')}`)
  const about = typeof description === 'string' && description !== '' ? { description } : {}
  return [property.trim(), { type: found, ...about }] as const
}
