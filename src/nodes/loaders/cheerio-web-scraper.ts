import { choice, number, text, texts } from '../../contract/field.ts'
import { MAX_PAGES, webAddress } from '../../sources/web/address.ts'
import { loaderCard } from './declare.ts'

export const cheerioWebScraper = loaderCard({
  name: 'cheerioWebScraper',
  label: 'Cheerio Web Scraper',
  version: 2,
  description: 'A web page, the site around it, or the pages of a sitemap',
  fields: {
    url: text('URL', '', { guard: 'url' }),
    relativeLinksMethod: choice('Get Relative Links Method', ['webCrawl', 'scrapeXMLSitemap'], undefined, {
      description: 'Follow the links of the site, or read its sitemap; without it, one page',
      additional: true,
    }),
    limit: number(
      'Get Relative Links Limit',
      10,
      { whole: true, min: 0, max: MAX_PAGES },
      { description: 'The most pages; 0 for all', additional: true },
    ),
    selector: text('Selector (CSS)', undefined, {
      description: 'Take only what this selector meets',
      additional: true,
    }),
    selectedLinks: texts('Selected Links', {
      description: 'Read these pages and look for no others',
      additional: true,
      guard: 'url',
    }),
  },
  bring({ url, relativeLinksMethod: method, limit, selector, selectedLinks: selected = [] }, lent) {
    const chosen = selected.map(webAddress)
    const address = chosen[0] ?? webAddress(url)
    // The limit is about pages that are looked for.
    const most = method === undefined ? 0 : limit
    const options = { node: lent.nodeId, address, method, selected: chosen, limit: most, selector }
    return {
      async *items(signal) {
        // Readers of HTML and XML come with it: not every start has to wait for them.
        const { siteItems } = await import('../../sources/web/site.ts')
        yield* siteItems(options, lent, signal)
      },
    }
  },
})
