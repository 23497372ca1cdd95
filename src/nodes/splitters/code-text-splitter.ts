import { choiceField } from '../../contract/field.ts'
import { codeSplitter, CODE_LANGUAGES } from '../../text/code.ts'
import { splitterCard } from './splitter-card.ts'

export const codeTextSplitter = splitterCard({
  name: 'codeTextSplitter',
  label: 'Code Text Splitter',
  version: 1,
  description: 'Cuts source code before definitions',
  derivedFrom: 'RecursiveCharacterTextSplitter',
  fields: { language: choiceField('Language', CODE_LANGUAGES, undefined) },
  build({ language, ...sizes }) {
    if (language === undefined) throw new Error('choose the language of the code')
    return codeSplitter({ language, ...sizes })
  },
})
