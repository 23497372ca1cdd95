import { textListField } from '../../cards/field.ts'
import { recursiveSplitter } from '../../text/recursive.ts'
import { splitterCard } from './splitter-card.ts'

export const recursiveCharacterTextSplitter = splitterCard({
  name: 'recursiveCharacterTextSplitter',
  label: 'Recursive Character Text Splitter',
  version: 2,
  description: 'Cuts at paragraphs if possible, else at lines, words or characters',
  fields: {
    separators: textListField('Custom Separators', {
      description: 'A JSON list, tried in order',
      additional: true,
    }),
  },
  build: ({ chunkSize, chunkOverlap, separators }) =>
    recursiveSplitter({ chunkSize, chunkOverlap, ...(separators?.length ? { separators } : {}) }),
})
