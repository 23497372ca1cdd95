import { flagField, textListField } from '../../cards/field.ts'
import { uploadCard } from './loader-card.ts'

export const jsonFile = uploadCard({
  name: 'jsonFile',
  label: 'Json File',
  version: 3.1,
  description: 'One document for each element of an array of objects, or one for the whole object',
  file: { input: 'jsonFile', label: 'Json File', endings: ['.json'] },
  types: ['json'],
  fields: {
    separateByObject: flagField('Separate by JSON Object', false, { main: true, additional: true }),
    pointersName: textListField('Pointers Extraction', {
      description: 'Reads only the texts below these keys, each as a document',
    }),
  },
  parse: ({ separateByObject, pointersName }) => ({
    separateByObject,
    ...(pointersName && !separateByObject ? { pointers: pointersName } : {}),
  }),
})
