import { text } from '../../contract/field.ts'
import { FILE_TYPES, type ParseOptions } from '../../contract/file-parser.ts'
import { uploadCard } from './declare.ts'
import { PDF_FIELDS } from './pdf-file.ts'

/** What every loader that reads all types says it accepts. */
export const ANY_ENDINGS = '.csv .docx .html .json .jsonl .md .pdf .pptx .txt .xlsx'
  .split(' ')
  .concat('other text')

/** Where the texts of JSON are, for a loader of all types. */
export const POINTER_FIELD = text('Pointer Extraction', undefined, {
  description: 'JSON and JSON Lines: where the texts are',
  additional: true,
})

type AnyFileValues = { usage: 'perPage' | 'perFile'; pointerName: string | undefined }

export const anyFileOptions = ({ usage, pointerName }: AnyFileValues): ParseOptions => ({
  usage,
  ...(pointerName?.trim() ? { pointers: [pointerName.trim()] } : {}),
})

export const fileLoader = uploadCard({
  name: 'fileLoader',
  label: 'File Loader',
  version: 2,
  description: 'Files of any type that is known here, each read as its type asks',
  file: { input: 'file', label: 'File', endings: ANY_ENDINGS },
  types: FILE_TYPES,
  fields: { ...PDF_FIELDS, pointerName: POINTER_FIELD },
  parse: anyFileOptions,
})
