import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { redirect, typed, type Website, website } from '../../../test/support/website.ts'
import { createFileParser } from '../../formats/pool.ts'
import { createEgress } from '../../kit/egress/client.ts'
import { createEgressRules } from '../../kit/egress/rules.ts'
import { SluiceError } from '../../kit/errors.ts'
import { type SiteLimits, type SiteOptions, siteItems } from './site.ts'
import { LOOPBACK } from '../../../test/support/loopback.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'sluice-site-'))
const parser = createFileParser({ readable: [scratch], size: 2 })
const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
after(async () => {
  await Promise.all([parser.close(), egress.close()])
  rmSync(scratch, { recursive: true, force: true })
})

type Row = { name: string; text?: string; failed?: string; notes?: string[]; discoversOthers?: true }

/** Reads a site to its end; addresses are relative to its root. */
async function readSite(
  { url }: Website,
  start: string,
  given: Partial<SiteOptions> = {},
  limits: Partial<SiteLimits> = {},
  signal = new AbortController().signal,
): Promise<Row[]> {
  const options = {
    node: 'site',
    address: url + start,
    method: undefined,
    selected: [],
    limit: 0,
    selector: undefined,
    ...given,
  }
  const rows: Row[] = []
  for await (const item of siteItems(options, { egress, parser, scratch, limits }, signal)) {
    const row: Row = { name: item.name.replace(url, '') }
    rows.push(row)
    assert.equal(item.source, item.name)
    try {
      for await (const { parts, notes } of item.read(signal)) {
        for (const { pageContent, metadata } of parts) {
          row.text = (row.text ?? '') + pageContent
          assert.equal(metadata.source, item.source)
          assert.ok(!('links' in metadata))
        }
        if (notes.length > 0) row.notes = notes
      }
    } catch (error) {
      assert.ok(error instanceof SluiceError, String(error))
      row.failed = error.code
      if (item.discoversOthers) row.discoversOthers = true
    }
  }
  return rows
}

const namesOf = (rows: Row[]) => rows.map(({ name }) => name)
const page = (text: string, ...links: string[]) =>
  `<p>${text}</p>${links.map((link) => `<a href="${link}"></a>`).join('')}`
const CRAWL = { method: 'webCrawl' } as const
const SITEMAP = { method: 'scrapeXMLSitemap' } as const

test('siteItems() reads one page alone, without its fragment', async () => {
  const site = await website({ '/a?b=1': page('One', '/other') })
  assert.deepEqual(await readSite(site, '/a?b=1#part'), [{ name: '/a?b=1', text: 'One' }])
  assert.deepEqual(site.asked, ['/robots.txt', '/a?b=1'])
})

test('siteItems() crawls breadth first, stays on the site, reads each page once, two at a time', async () => {
  const site = await website({
    '/': page('Home', 'b', '/a', 'https://elsewhere.test/', 'a#again', 'mailto:x@y.test'),
    '/a': page('A', '/', '/c'),
    '/b': page('B', '/c', '/d'),
    '/c': page('C'),
    '/d': page('D', '/e'),
    '/e': page('E'),
  })
  const rows = await readSite(site, '/', CRAWL)
  assert.deepEqual(
    rows.map(({ name, text }) => `${name} ${text}`),
    ['/ Home', '/b B', '/a A', '/c C', '/d D', '/e E'],
  )
  assert.equal(new Set(site.asked).size, site.asked.length)
  assert.ok(site.mostAtOnce <= 2)
  assert.deepEqual(namesOf(await readSite(site, '/', { ...CRAWL, limit: 3 })), ['/', '/b', '/a'])
  assert.deepEqual(readdirSync(scratch), [])
})

test('siteItems() lets a page fail alone, by name, and marks that it may have had links', async () => {
  const site = await website({
    '/': page('Home', '/gone', '/cut', '/good'),
    '/cut': (_request, response) => void response.destroy(),
    '/good': page('Good'),
  })
  assert.deepEqual(await readSite(site, '/', CRAWL), [
    { name: '/', text: 'Home' },
    { name: '/gone', failed: 'fetch_failed', discoversOthers: true },
    { name: '/cut', failed: 'provider_failed', discoversOthers: true },
    { name: '/good', text: 'Good' },
  ])
})

test('siteItems() notes how many elements of a page are hidden, and reads the rest', async () => {
  const site = await website({ '/': '<p>shown</p><div hidden>secret</div>' })
  assert.deepEqual(await readSite(site, '/'), [
    { name: '/', text: 'shown', notes: ['1 hidden element was left out'] },
  ])
})

test('siteItems() skips bytes that are not text, whatever their content type is', async () => {
  const picture = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  const site = await website({ '/': typed('text/html', picture) })
  assert.deepEqual(await readSite(site, '/'), [{ name: '/', notes: ['its content is not text'] }])
})

test('siteItems() names what is not a page, and does not count it', async () => {
  const site = await website({
    '/': page('Home', '/manual.pdf', '/pic', '/good'),
    '/manual.pdf': typed('application/pdf', '%PDF-1.7'),
    '/pic': typed('image/png', 'x'),
    '/good': page('Good'),
  })
  assert.deepEqual(await readSite(site, '/', { ...CRAWL, limit: 2 }), [
    { name: '/', text: 'Home' },
    { name: '/manual.pdf', notes: ['it is application/pdf, not a web page'] },
    { name: '/pic', notes: ['it is image/png, not a web page'] },
    { name: '/good', text: 'Good' },
  ])
})

test('siteItems() honours robots.txt: forbidden pages are counted, never fetched', async () => {
  const site = await website({
    '/robots.txt': typed('text/plain', 'User-agent: *\nDisallow: /private\nAllow: /private/open'),
    '/': page('Home', '/private/a', '/private/b', '/private/open', '/hop'),
    '/private/open': page('Open'),
    '/hop': redirect('/private/a'),
  })
  const rows = await readSite(site, '/', CRAWL)
  assert.deepEqual(rows, [
    { name: '/', text: 'Home' },
    { name: '/private/open', text: 'Open' },
    { name: '/hop', failed: 'page_forbidden', discoversOthers: true },
    { name: '/robots.txt', notes: ['it forbids 2 of the pages found'] },
  ])
  assert.ok(!site.asked.includes('/private/a'))
  assert.deepEqual(await readSite(site, '/private/a'), [{ name: '/private/a', failed: 'page_forbidden' }])
})

test('siteItems() follows the group of robots.txt for our user agent', async () => {
  const site = await website({
    '/robots.txt': typed('text/plain', 'User-agent: *\nDisallow:\n\nUser-agent: Sluice\nDisallow: /'),
    '/': page('Home'),
  })
  assert.deepEqual(await readSite(site, '/'), [{ name: '/', failed: 'page_forbidden' }])
})

test('siteItems() reads no page of a site whose robots.txt fails', async () => {
  const site = await website({
    '/robots.txt': (_request, response) => void response.writeHead(503).end(),
    '/': page('Home'),
  })
  assert.deepEqual(await readSite(site, '/'), [{ name: '/', failed: 'fetch_failed' }])
  assert.deepEqual(site.asked, ['/robots.txt'])
})

test('siteItems() follows redirects: the last address is the name, each page comes once', async () => {
  const other = await website({
    '/': page('Other'),
    '/start': page('Start there', '/more'),
    '/more': page('More'),
  })
  const site = await website({
    '/': page('Home', '/old', '/new', '/away', '/loop'),
    '/old': redirect('/new#x', 301),
    '/new': page('New'),
    '/away': redirect(`${other.url}/`),
    '/loop': redirect('/loop'),
    '/start': redirect(`${other.url}/start`),
  })
  assert.deepEqual(await readSite(site, '/', CRAWL), [
    { name: '/', text: 'Home' },
    { name: '/new', text: 'New' },
    { name: '/away', notes: ['it redirects to another site'] },
    { name: '/loop', failed: 'fetch_failed', discoversOthers: true },
  ])
  assert.deepEqual(other.asked, [])
  assert.deepEqual(namesOf(await readSite(site, '/start', CRAWL)), [
    `${other.url}/start`,
    `${other.url}/more`,
  ])
})

test('siteItems() fails a page that is slow or too large, and no other', async () => {
  const site = await website({
    '/': page('Home', '/slow', '/huge', '/good'),
    '/slow': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
    '/huge': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const more = () => void response.write('x'.repeat(60_000), () => response.destroyed || more())
      more()
    },
    '/good': page('Good'),
  })
  assert.deepEqual(await readSite(site, '/', CRAWL, { pageMs: 2000, pageBytes: 200_000 }), [
    { name: '/', text: 'Home' },
    { name: '/slow', failed: 'file_timeout', discoversOthers: true },
    { name: '/huge', failed: 'provider_failed', discoversOthers: true },
    { name: '/good', text: 'Good' },
  ])
})

test('siteItems() uses the character set of the header, then the one of the page', async () => {
  const site = await website({
    '/header': typed('text/html; charset="windows-1251"', iconv.encode('<p>Выдра плавает', 'windows-1251')),
    '/meta': typed('text/html', iconv.encode('<meta charset="koi8-r"><p>Выдра плавает', 'koi8-r')),
  })
  for (const name of ['/header', '/meta'])
    assert.deepEqual(await readSite(site, name), [{ name, text: 'Выдра плавает' }])
})

test('siteItems() reads only what matches the selector, and still follows all links', async () => {
  const site = await website({
    '/': `<nav><a href="/a">menu</a></nav><main>Home</main>`,
    '/a': '<aside>no</aside><main>A</main>',
  })
  assert.deepEqual(await readSite(site, '/', { ...CRAWL, selector: 'main' }), [
    { name: '/', text: 'Home' },
    { name: '/a', text: 'A' },
  ])
})

test('siteItems() refuses an invalid selector', async () => {
  const site = await website({})
  await assert.rejects(readSite(site, '/', { selector: 'p[' }), { code: 'input_invalid', message: /site/ })
  assert.deepEqual(site.asked, [])
})

test('siteItems() reads the selected pages, and no others', async () => {
  const site = await website({ '/a': page('A', '/c'), '/b': page('B') })
  const selected = [`${site.url}/b`, `${site.url}/a`]
  assert.deepEqual(namesOf(await readSite(site, '/', { ...CRAWL, selected })), ['/b', '/a'])
})

const list = (kind: 'urlset' | 'sitemapindex', ...locations: string[]) => {
  const entry = kind === 'urlset' ? 'url' : 'sitemap'
  return `<?xml version="1.0"?><${kind} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map((location) => `<${entry}><loc> ${location} </loc></${entry}>`)
    .join('')}</${kind}>`
}

test('siteItems() reads the pages of a sitemap and of the sitemaps that it names, compressed ones too', async () => {
  const site = await website({
    '/sitemap.xml': (_request, response, url) =>
      void response.end(
        list('sitemapindex', `${url}/one.xml`, `${url}/two.xml.gz`, `${url}/sitemap.xml`, '/gone.xml'),
      ),
    '/one.xml': (_request, response, url) =>
      void response.end(
        list('urlset', `${url}/a?x=1&amp;y=2`).replace(
          '</url>',
          '<image:image><image:loc>/p.png</image:loc></image:image></url>',
        ),
      ),
    '/two.xml.gz': (_request, response, url) =>
      void response.end(gzipSync(list('urlset', `${url}/b`, `${url}/a?x=1&amp;y=2`))),
    '/a?x=1&y=2': page('A'),
    '/b': page('B'),
  })
  const rows = await readSite(site, '/sitemap.xml', SITEMAP)
  assert.deepEqual(
    rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    [
      { name: '/a?x=1&y=2', text: 'A' },
      { name: '/b', text: 'B' },
      { name: '/gone.xml', failed: 'fetch_failed', discoversOthers: true },
    ],
  )
  assert.deepEqual(namesOf(await readSite(site, '/sitemap.xml', { ...SITEMAP, limit: 1 })), ['/a?x=1&y=2'])
})

test('siteItems() finds the sitemap of a site by its robots.txt, else at its usual place', async () => {
  const usual = await website({
    '/': page('Home'),
    '/sitemap.xml': (_request, response, url) => void response.end(list('urlset', `${url}/a`)),
    '/a': page('A'),
  })
  assert.deepEqual(namesOf(await readSite(usual, '/', SITEMAP)), ['/a'])
  const named = await website({
    '/robots.txt': (_request, response, url) => void response.end(`Sitemap: ${url}/map.xml`),
    '/': page('Home'),
    '/map.xml': (_request, response, url) => void response.end(list('urlset', `${url}/b`)),
    '/b': page('B'),
  })
  assert.deepEqual(namesOf(await readSite(named, '/', SITEMAP)), ['/b'])
  const none = await website({ '/': page('Home') })
  assert.deepEqual(await readSite(none, '/', SITEMAP), [
    { name: '/sitemap.xml', failed: 'fetch_failed', discoversOthers: true },
  ])
})

test('siteItems() ends when it is aborted, in the middle of a page', async () => {
  const stop = new AbortController()
  const site = await website({ '/': (_request) => void stop.abort(new Error('enough')) })
  await assert.rejects(readSite(site, '/', CRAWL, {}, stop.signal), /enough/)
})

test('siteItems() fetches no address that the egress rules forbid', async () => {
  const closed = createEgress({ rules: createEgressRules({}) })
  const site = await website({ '/': page('Home') })
  const options = {
    node: 'site',
    address: `${site.url}/`,
    method: undefined,
    selected: [],
    limit: 0,
    selector: undefined,
  }
  const signal = new AbortController().signal
  for await (const item of siteItems(options, { egress: closed, parser, scratch }, signal))
    await assert.rejects(
      async () => {
        for await (const _ of item.read(signal));
      },
      { code: 'egress_denied' },
    )
  assert.deepEqual(site.asked, [])
  await closed.close()
})
