import { textField } from '../../cards/field.ts'
import { uploadCard } from './loader-card.ts'

export const jsonlinesFile = uploadCard({
  name: 'jsonlinesFile',
  label: 'Json Lines File',
  version: 3,
  description: 'One document for each line of JSON',
  file: { input: 'jsonlinesFile', label: 'Jsonlines File', endings: ['.jsonl', '.ndjson'] },
  types: ['jsonl'],
  fields: {
    pointerName: textField('Pointer Extraction', undefined, {
      main: true,
      description: 'The pointer to the text of a line. Default: all values of the line',
    }),
  },
  parse: ({ pointerName }) => (pointerName?.trim() ? { pointers: [pointerName.trim()] } : {}),
})
