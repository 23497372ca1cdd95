import { uploadCard } from './loader-card.ts'

export const microsoftExcel = uploadCard({
  name: 'microsoftExcel',
  label: 'Microsoft Excel',
  version: 1,
  description: 'One document for each row of every visible sheet',
  file: { input: 'excelFile', label: 'Excel File', endings: ['.xlsx', '.xlsm'] },
  types: ['xlsx'],
  fields: {},
  parse: () => ({}),
})
