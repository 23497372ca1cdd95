import { choiceField, flagField, textListField } from '../../cards/field.ts'
import type { ParseOptions } from '../../contract/file-parser.ts'
import { InputError } from '../../cards/input-error.ts'
import { uploadCard } from './loader-card.ts'

/** The languages of scanned pages. */
export const OCR_LANGUAGES = textListField('OCR Languages', {
  description:
    'The languages of scanned pages, as tesseract names them: eng, deu, fra. Several with commas; the one of most pages first',
  additional: true,
})

/** @throws Error with the reason for something that is no name of a language */
export function ocrOptions({ ocrLanguages }: { ocrLanguages: string[] | undefined }): ParseOptions {
  const names = ocrLanguages?.map((name) => name.trim()).filter((name) => name !== '')
  if (!names || names.length === 0) return {}
  const strange = names.find((name) => !/^\w+(\/\w+)?$/.test(name))
  if (strange !== undefined)
    throw new InputError(
      'ocrLanguages',
      `expected names of languages such as eng or deu, received ${JSON.stringify(strange)}`,
    )
  return { ocrLanguages: names }
}

/** The PDF inputs, also of the file loader. */
export const PDF_FIELDS = {
  usage: choiceField('Usage', ['perPage', 'perFile'], 'perPage', {
    main: true,
    description: 'One document for each page, or one for each file',
  }),
  ocrLanguages: OCR_LANGUAGES,
  // Has no effect. It exists so that flow files of Flowise load.
  legacyBuild: flagField('Use Legacy Build', false, { additional: true }),
}

export const pdfFile = uploadCard({
  name: 'pdfFile',
  label: 'Pdf File',
  version: 2,
  description: 'The text of PDF files, page by page',
  file: { input: 'pdfFile', label: 'Pdf File', endings: ['.pdf'] },
  types: ['pdf'],
  fields: PDF_FIELDS,
  parse: ({ usage, ocrLanguages }) => ({ usage, ...ocrOptions({ ocrLanguages }) }),
})
