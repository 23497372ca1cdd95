import { choice } from '../../contract/field.ts'
import { ENCODINGS } from '../../text/encodings.ts'
import { tokenSplitter } from '../../text/token.ts'
import { splitterCard } from './declare.ts'

export const tokenTextSplitter = splitterCard({
  name: 'tokenTextSplitter',
  label: 'Token Text Splitter',
  version: 1,
  description: 'Cuts by the tokens of OpenAI’s models; sizes are counted in tokens',
  fields: { encodingName: choice('Encoding Name', ENCODINGS, 'gpt2') },
  build: tokenSplitter,
})
