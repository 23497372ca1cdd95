import { htmlToMarkdownSplitter } from '../../text/html-to-markdown.ts'
import { splitterCard } from './splitter-card.ts'

export const htmlToMarkdownTextSplitter = splitterCard({
  name: 'htmlToMarkdownTextSplitter',
  label: 'HtmlToMarkdown Text Splitter',
  version: 1,
  description: 'Converts HTML to markdown and cuts the markdown',
  derivedFrom: 'MarkdownTextSplitter',
  fields: {},
  build: htmlToMarkdownSplitter,
})
