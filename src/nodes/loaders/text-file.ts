import { uploadCard } from './loader-card.ts'

export const textFile = uploadCard({
  name: 'textFile',
  label: 'Text File',
  version: 3,
  description: 'Text, markdown, source code and web pages',
  file: {
    input: 'txtFile',
    label: 'Txt File',
    endings: (
      '.txt .html .htm .aspx .asp .cpp .c .cs .css .go .h .java .js .less .ts .php .proto .python .py .rst .ruby .rb ' +
      '.rs .scala .sc .scss .sol .sql .swift .markdown .md .tex .ltx .vb .xml'
    ).split(' '),
  },
  types: ['text', 'html'],
  fields: {},
  parse: () => ({}),
})
