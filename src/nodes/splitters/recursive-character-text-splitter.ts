import { defineNode } from '../../contract/card.ts'
import { texts } from '../../contract/field.ts'
import { recursiveSplitter } from '../../text/recursive.ts'
import { SIZE_FIELDS } from './sizes.ts'

export const recursiveCharacterTextSplitter = defineNode({
  kind: 'splitter',
  name: 'recursiveCharacterTextSplitter',
  label: 'Recursive Character Text Splitter',
  version: 2,
  category: 'Text Splitters',
  type: 'RecursiveCharacterTextSplitter',
  baseClasses: ['RecursiveCharacterTextSplitter', 'TextSplitter'],
  description: 'Cuts at paragraphs where it can, else at lines, words, characters',
  fields: {
    ...SIZE_FIELDS,
    separators: texts('Custom Separators', { description: 'A JSON list, tried in order', additional: true }),
  },
  anchors: {},
  build({ values: { chunkSize, chunkOverlap, separators } }) {
    return recursiveSplitter({ chunkSize, chunkOverlap, ...(separators?.length ? { separators } : {}) })
  },
})
