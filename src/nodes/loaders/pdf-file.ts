import { choiceField, flagField } from '../../contract/field.ts'
import { uploadCard } from './loader-card.ts'

/** Inputs that say how a PDF becomes documents; the file loader has them too. */
export const PDF_FIELDS = {
  usage: choiceField('Usage', ['perPage', 'perFile'], 'perPage', {
    description: 'A document per page, or one per file',
  }),
  // Kept so that flow files which set it load; there is one build here.
  legacyBuild: flagField('Use Legacy Build', false, { additional: true }),
}

export const pdfFile = uploadCard({
  name: 'pdfFile',
  label: 'Pdf File',
  version: 2,
  description: 'Text of PDF files, page by page',
  file: { input: 'pdfFile', label: 'Pdf File', endings: ['.pdf'] },
  types: ['pdf'],
  fields: PDF_FIELDS,
  parse: ({ usage }) => ({ usage }),
})
