import { choiceField } from '../../cards/field.ts'
import { HEADER_MODES, markdownSplitter } from '../../text/markdown.ts'
import { splitterCard } from './splitter-card.ts'

export const markdownTextSplitter = splitterCard({
  name: 'markdownTextSplitter',
  label: 'Markdown Text Splitter',
  version: 1.1,
  description: 'Cuts at headings, code blocks, rules and paragraphs',
  derivedFrom: 'RecursiveCharacterTextSplitter',
  fields: {
    splitByHeaders: choiceField('Split by Headers', HEADER_MODES, 'disabled', {
      description: 'One chunk for each section, down to headings of this level',
    }),
  },
  build: markdownSplitter,
})
