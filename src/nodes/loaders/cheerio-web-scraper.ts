import { choiceField, numberField, textField, textListField } from '../../cards/field.ts'
import { MAX_PAGES, webAddress } from '../../sources/web/address.ts'
import { loaderCard } from './loader-card.ts'
import { mayCall } from '../may-call.ts'

export const cheerioWebScraper = loaderCard({
  name: 'cheerioWebScraper',
  label: 'Cheerio Web Scraper',
  version: 2,
  description: 'A web page, the site around it, or the pages of a sitemap',
  fields: {
    url: textField('URL', '', { main: true, guard: 'url' }),
    relativeLinksMethod: choiceField(
      'Get Relative Links Method',
      ['webCrawl', 'scrapeXMLSitemap'],
      undefined,
      {
        description: 'Follow the links of the site, or read its sitemap. Default: one page',
        additional: true,
      },
    ),
    limit: numberField(
      'Get Relative Links Limit',
      10,
      { whole: true, min: 0, max: MAX_PAGES },
      { main: true, unit: 'pages', description: 'The maximum number of pages; 0 for all', additional: true },
    ),
    selector: textField('Selector (CSS)', undefined, {
      description: 'Reads only the elements that match this selector',
      additional: true,
    }),
    selectedLinks: textListField('Selected Links', {
      description: 'Reads exactly these pages',
      additional: true,
      guard: 'url',
    }),
  },
  sources({ url, relativeLinksMethod: method, limit, selector, selectedLinks: selected = [] }, services) {
    const chosen = selected.map((link) => webAddress(link, 'selectedLinks'))
    const address = chosen[0] ?? webAddress(url, 'url')
    for (const page of chosen) mayCall(services, page, 'selectedLinks', services.egress)
    if (chosen.length === 0) mayCall(services, address, 'url', services.egress)
    // The limit applies to pages found by links or a sitemap only.
    const maxPages = method === undefined ? 0 : limit
    const options = { node: services.nodeId, address, method, selected: chosen, limit: maxPages, selector }
    if (selector !== undefined)
      services.beforeUse?.(async () => (await import('../../sources/web/site.ts')).refuseBadSelector(options))
    return {
      async *items(signal) {
        // Imported late: it would slow down every start.
        const { siteItems } = await import('../../sources/web/site.ts')
        yield* siteItems(options, services, signal)
      },
    }
  },
})
