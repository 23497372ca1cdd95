import { flagField, textListField } from '../../contract/field.ts'
import { uploadCard } from './loader-card.ts'

export const jsonFile = uploadCard({
  name: 'jsonFile',
  label: 'Json File',
  version: 3.1,
  description: 'A document per record of a JSON file: an element of an array of objects, else the object',
  file: { input: 'jsonFile', label: 'Json File', endings: ['.json'] },
  types: ['json'],
  fields: {
    separateByObject: flagField('Separate by JSON Object', false, { additional: true }),
    pointersName: textListField('Pointers Extraction', {
      description: 'Take only the texts below these keys, each a document',
    }),
  },
  parse: ({ separateByObject, pointersName }) => ({
    separateByObject,
    ...(pointersName && !separateByObject ? { pointers: pointersName } : {}),
  }),
})
