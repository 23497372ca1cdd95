import { defineNode } from '../../cards/define-node.ts'
import { choiceField, numberField, textField } from '../../cards/field.ts'
import { webPageTool } from '../../tools/web-page-tool.ts'

const additional = { additional: true } as const
const DESCRIPTION = 'Reads the text of a web page. The input is the address of the page.'

export const webScraperTool = defineNode({
  kind: 'tools',
  name: 'webScraperTool',
  label: 'Web Scraper Tool',
  version: 1.1,
  category: 'Tools',
  type: 'Tool',
  baseClasses: ['Tool', 'StructuredTool', 'Runnable'],
  description: 'Lets the model read web pages',
  fields: {
    scrapeMode: choiceField('Scraping Mode', ['recursive', 'sitemap'], 'recursive', {
      ...additional,
      description: 'Follow the links of the page, or read the sitemap of its site',
    }),
    maxDepth: numberField(
      'Max Depth',
      1,
      { whole: true, min: 1, max: 100 },
      {
        ...additional,
        description: '1: the page alone. More: the links of its site too, the nearest first, up to Max Pages',
      },
    ),
    maxPages: numberField(
      'Max Pages',
      10,
      { whole: true, min: 1, max: 100 },
      { ...additional, main: true, unit: 'pages' },
    ),
    timeoutS: numberField(
      'Timeout',
      60,
      { min: 0.1, max: 60 },
      {
        ...additional,
        unit: 'seconds',
        description: 'The longest that one page may take',
      },
    ),
    description: textField('Tool Description', DESCRIPTION, { ...additional, multiline: true }),
    maxCharacters: numberField(
      'Max Characters',
      20_000,
      { whole: true, min: 100, max: 200_000 },
      {
        ...additional,
        unit: 'characters',
        description: 'The most characters that the model reads',
      },
    ),
  },
  anchors: {},
  build({ values }, { nodeId, ...services }) {
    const { scrapeMode, maxDepth, maxPages, timeoutS, description, maxCharacters } = values
    const method = scrapeMode === 'sitemap' ? 'scrapeXMLSitemap' : maxDepth > 1 ? 'webCrawl' : undefined
    const tool = webPageTool(
      {
        name: 'web_scraper_tool',
        description,
        method,
        maxPages,
        pageMs: timeoutS * 1000,
        maxCharacters,
        node: nodeId,
      },
      services,
    )
    return { tools: async () => [tool] }
  },
})
