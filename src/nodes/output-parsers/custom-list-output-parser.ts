import { numberField, textField } from '../../cards/field.ts'
import { parserCard } from './parser-card.ts'

export const customListOutputParser = parserCard({
  name: 'customListOutputParser',
  label: 'Custom List Output Parser',
  type: 'CustomListOutputParser',
  description: 'The answer is a list of so many values',
  fields: {
    length: numberField(
      'Length',
      5,
      { whole: true, min: 1, max: 1000 },
      { main: true, unit: 'values', description: 'How many values the answer must have' },
    ),
    separator: textField('Separator', ',', { description: 'What the model writes between them' }),
  },
  shape: ({ length, separator }) => ({ type: 'list', separator, length }),
})
