import { textField } from '../../cards/field.ts'
import { characterSplitter } from '../../text/character.ts'
import { splitterCard } from './splitter-card.ts'

export const characterTextSplitter = splitterCard({
  name: 'characterTextSplitter',
  label: 'Character Text Splitter',
  version: 1,
  description: 'Cuts at one separator only. The text between two separators is never cut',
  fields: { separator: textField('Custom Separator', '\n\n', { description: 'Default: a blank line' }) },
  build: characterSplitter,
})
