import { choiceField } from '../../cards/field.ts'
import { tokenSplitter } from '../../text/token.ts'
import { TOKEN_ENCODINGS } from '../../text/token-encodings.ts'
import { splitterCard } from './splitter-card.ts'

export const tokenTextSplitter = splitterCard({
  name: 'tokenTextSplitter',
  label: 'Token Text Splitter',
  version: 1,
  description: 'Cuts by the tokens of OpenAI’s models. Sizes are in tokens',
  unit: 'tokens',
  fields: { encodingName: choiceField('Encoding Name', TOKEN_ENCODINGS, 'gpt2') },
  build: tokenSplitter,
})
