import { choiceField, flagField } from '../../contract/field.ts'
import { uploadCard } from './loader-card.ts'

/** The PDF inputs, also of the file loader. */
export const PDF_FIELDS = {
  usage: choiceField('Usage', ['perPage', 'perFile'], 'perPage', {
    main: true,
    description: 'One document for each page, or one for each file',
  }),
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
  parse: ({ usage }) => ({ usage }),
})
