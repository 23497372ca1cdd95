import { uploadCard } from './loader-card.ts'

const WORD = {
  description: 'The text of Word documents, with headings, lists, tables and notes',
  types: ['docx'],
  fields: {},
  parse: () => ({}),
} as const

export const docxFile = uploadCard({
  ...WORD,
  name: 'docxFile',
  label: 'Docx File',
  version: 2,
  file: { input: 'docxFile', label: 'Docx File', endings: ['.docx'] },
})

export const microsoftWord = uploadCard({
  ...WORD,
  name: 'microsoftWord',
  label: 'Microsoft Word',
  version: 1,
  types: ['doc', 'docx'],
  file: { input: 'docxFile', label: 'Word File', endings: ['.doc', '.docx', '.docm'] },
})
