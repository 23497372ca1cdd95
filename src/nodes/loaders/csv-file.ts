import { textField } from '../../contract/field.ts'
import { uploadCard } from './loader-card.ts'

export const csvFile = uploadCard({
  name: 'csvFile',
  label: 'Csv File',
  version: 3,
  description: 'A document per row of a table',
  file: { input: 'csvFile', label: 'Csv File', endings: ['.csv', '.tsv'] },
  types: ['csv'],
  fields: {
    columnName: textField('Single Column Extraction', undefined, {
      description: 'Take only the texts of this column',
    }),
  },
  parse: ({ columnName }) => (columnName?.trim() ? { columnName: columnName.trim() } : {}),
})
