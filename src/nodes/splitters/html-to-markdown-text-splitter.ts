import { htmlToMarkdownSplitter } from '../../text/html-to-markdown.ts'
import { splitterCard } from './splitter-card.ts'

export const htmlToMarkdownTextSplitter = splitterCard({
  name: 'htmlToMarkdownTextSplitter',
  label: 'HtmlToMarkdown Text Splitter',
  version: 1,
  description: 'Turns HTML into markdown and cuts that',
  derivedFrom: 'MarkdownTextSplitter',
  fields: {},
  build: htmlToMarkdownSplitter,
})
