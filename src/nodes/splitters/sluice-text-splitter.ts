import { sluiceSplitter } from '../../text/sluice/sluice.ts'
import { splitterCard } from './splitter-card.ts'

export const sluiceTextSplitter = splitterCard({
  name: 'sluiceTextSplitter',
  label: 'Sluice Text Splitter',
  version: 1,
  description:
    'Cuts at sections, paragraphs, sentences, rows and definitions; each chunk is found by the headings above it, too',
  fields: {},
  build: sluiceSplitter,
})
