import { textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { reasonOf } from '../../kit/errors.ts'
import type { JsonSchema } from '../../contract/tool.ts'
import { readZodText } from '../../tools/zod-text.ts'
import { parserCard } from './parser-card.ts'

const DEFAULT = `z.object({
    title: z.string(), // Title of the movie as a string
    yearOfRelease: z.number().int(), // Release year as an integer number
    genres: z.enum([
        "Action", "Comedy", "Drama", "Fantasy", "Horror",
        "Mystery", "Romance", "Science Fiction", "Thriller", "Documentary"
    ]).array().max(2), // Array of genres, max of 2 from the defined enum
    shortDescription: z.string().max(500) // Short description, max 500 characters
})`

/** The key of the object that models write where the answer itself is no object. */
const WITHIN = 'answer'

export const advancedStructuredOutputParser = parserCard({
  name: 'advancedStructuredOutputParser',
  label: 'Advanced Structured Output Parser',
  type: 'AdvancedStructuredOutputParser',
  description: 'The answer is JSON that fits a schema',
  fields: {
    exampleJson: textField('Example JSON', DEFAULT, {
      main: true,
      multiline: true,
      description: 'The schema of the answer, as zod writes it. It is read, not run',
    }),
  },
  shape({ exampleJson }) {
    const schema = schemaOf(exampleJson)
    if (schema.type === 'object') return { type: 'json', schema }
    return {
      type: 'json',
      within: WITHIN,
      schema: {
        type: 'object',
        properties: { [WITHIN]: schema },
        required: [WITHIN],
        additionalProperties: false,
      },
    }
  },
})

function schemaOf(text: string): JsonSchema {
  try {
    return readZodText(text)
  } catch (error) {
    throw new InputError('exampleJson', `it is no schema: ${reasonOf(error)}`)
  }
}
