import { parserCard } from './parser-card.ts'

export const csvOutputParser = parserCard({
  name: 'csvOutputParser',
  label: 'CSV Output Parser',
  type: 'CSVListOutputParser',
  description: 'The answer is a list of values, which the model writes with commas between them',
  fields: {},
  shape: () => ({ type: 'list', separator: ',' }),
})
