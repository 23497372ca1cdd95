import { uploadCard } from './loader-card.ts'

export const microsoftExcel = uploadCard({
  name: 'microsoftExcel',
  label: 'Microsoft Excel',
  version: 1,
  description: 'One document for each row of every visible sheet',
  file: { input: 'excelFile', label: 'Excel File', endings: ['.xls', '.xlsx', '.xlsm'] },
  types: ['xls', 'xlsx'],
  fields: {},
  parse: () => ({}),
})
