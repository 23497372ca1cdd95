import { text } from '../../contract/field.ts'
import { FILE_TYPES } from '../../contract/file-parser.ts'
import { uploadCard } from './declare.ts'
import { PDF_FIELDS } from './pdf-file.ts'

export const fileLoader = uploadCard({
  name: 'fileLoader',
  label: 'File Loader',
  version: 2,
  description: 'Files of any type that is known here, each read as its type asks',
  file: {
    input: 'file',
    label: 'File',
    endings: [
      '.csv',
      '.docx',
      '.html',
      '.json',
      '.jsonl',
      '.md',
      '.pdf',
      '.pptx',
      '.txt',
      '.xlsx',
      'other text',
    ],
  },
  types: FILE_TYPES,
  fields: {
    ...PDF_FIELDS,
    pointerName: text('Pointer Extraction', undefined, {
      description: 'JSON and JSON Lines: where the texts are',
      additional: true,
    }),
  },
  parse: ({ usage, pointerName }) => ({
    usage,
    ...(pointerName?.trim() ? { pointers: [pointerName.trim()] } : {}),
  }),
})
