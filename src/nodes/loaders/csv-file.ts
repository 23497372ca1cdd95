import { textField } from '../../cards/field.ts'
import { uploadCard } from './loader-card.ts'

export const csvFile = uploadCard({
  name: 'csvFile',
  label: 'Csv File',
  version: 3,
  description: 'One document for each row of a table',
  file: { input: 'csvFile', label: 'Csv File', endings: ['.csv', '.tsv'] },
  types: ['csv'],
  fields: {
    columnName: textField('Single Column Extraction', undefined, {
      main: true,
      description: 'Reads only this column',
    }),
  },
  parse: ({ columnName }) => (columnName?.trim() ? { columnName: columnName.trim() } : {}),
})
