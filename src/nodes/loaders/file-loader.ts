import { textField } from '../../cards/field.ts'
import { FILE_TYPES, type ParseOptions } from '../../contract/file-parser.ts'
import { ANY_ENDINGS } from '../../formats/file-types.ts'
import { uploadCard } from './loader-card.ts'
import { ocrOptions, PDF_FIELDS } from './pdf-file.ts'

/** The JSON pointer input of loaders that read all file types. */
export const POINTER_FIELD = textField('Pointer Extraction', undefined, {
  description: 'For JSON and JSON Lines: the pointer to the texts',
  additional: true,
})

type AnyFileValues = {
  usage: 'perPage' | 'perFile'
  pointerName: string | undefined
  ocrLanguages: string[] | undefined
}

export const allTypesParseOptions = ({ usage, pointerName, ocrLanguages }: AnyFileValues): ParseOptions => ({
  usage,
  ...ocrOptions({ ocrLanguages }),
  ...(pointerName?.trim() ? { pointers: [pointerName.trim()] } : {}),
})

export const fileLoader = uploadCard({
  name: 'fileLoader',
  label: 'File Loader',
  version: 2,
  description: 'Files of all supported types',
  file: { input: 'file', label: 'File', endings: ANY_ENDINGS },
  types: FILE_TYPES,
  fields: { ...PDF_FIELDS, pointerName: POINTER_FIELD },
  parse: allTypesParseOptions,
})
