import { choiceField } from '../../cards/field.ts'
import { CODE_LANGUAGES, codeSplitter } from '../../text/code.ts'
import { splitterCard } from './splitter-card.ts'

export const codeTextSplitter = splitterCard({
  name: 'codeTextSplitter',
  label: 'Code Text Splitter',
  version: 1,
  description: 'Cuts source code before definitions',
  derivedFrom: 'RecursiveCharacterTextSplitter',
  fields: { language: choiceField('Language', CODE_LANGUAGES, undefined) },
  build({ language, ...sizes }) {
    if (language === undefined) throw new Error('no language is selected')
    return codeSplitter({ language, ...sizes })
  },
})
