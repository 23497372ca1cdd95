import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../../src/kit/json.ts'
import { reference } from '../flow-drawing.ts'
import { writePdf } from '../pdf-writer.ts'
import { scannedPage } from '../scans.ts'
import { attached, codeCell, mailOfParts, notebook } from '../small-mails.ts'
import { data, inline, row, workbook } from '../workbook.ts'
import type { WatchedServer } from './watched-server.ts'

/** Something that arrives at a server and blocked its event loop for seconds before. */
export type HostileInput = {
  name: string
  /** Sends it and waits for the end of the answer; gives the status. */
  send(server: WatchedServer): Promise<number>
}

const KB = 1000
const MB = 1000 * KB

type Node = { name: string; inputs?: JsonObject }

const SPLITTER = { name: 'recursiveCharacterTextSplitter' }

/** Stores a flow of one loader, one splitter and the built-in store; gives its id. */
async function storeFlow(server: WatchedServer, loader: Node, splitter: Node): Promise<string> {
  const node = (id: string, { name, inputs = {} }: Node) => ({
    id,
    data: { id, name, label: name, inputs },
  })
  const nodes = [
    node('loader', { ...loader, inputs: { textSplitter: reference('splitter'), ...loader.inputs } }),
    node('splitter', splitter),
    node('embeddings', { name: 'builtInEmbeddings' }),
    node('store', {
      name: 'builtInVectorStore',
      inputs: { document: [reference('loader')], embeddings: reference('embeddings') },
    }),
  ]
  const overridable = [{ name: 'files', label: 'files', type: 'string', enabled: true }]
  const response = await fetch(`${server.url}/api/v1/chatflows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.adminKey}` },
    body: JSON.stringify({
      name: 'hostile',
      flowData: { nodes, edges: [] },
      apiConfig: { overrideConfig: { status: true, nodes: { '*': overridable } } },
    }),
  })
  if (!response.ok) throw new Error(`no flow: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

async function post(server: WatchedServer, path: string, body: FormData | JsonObject): Promise<number> {
  const isForm = body instanceof FormData
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.adminKey}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

type File = { name: string; content: () => string | Uint8Array }

/** A file that is loaded by a flow of a loader and a splitter. */
const loaded = (
  name: string,
  file: File,
  { loader, splitter = SPLITTER }: { loader: Node; splitter?: Node },
) => ({
  name,
  async send(server: WatchedServer) {
    const flow = await storeFlow(server, loader, splitter)
    const form = new FormData()
    form.append('files', new File([file.content() as string | Uint8Array<ArrayBuffer>], file.name))
    return post(server, `/api/v1/vector/upsert/${flow}`, form)
  },
})

const ANY = { name: 'fileLoader' }
const text = (content: () => string, name = 'hostile.txt'): File => ({ name, content })
const cutBy = (name: string, inputs: JsonObject = {}) => ({ loader: ANY, splitter: { name, inputs } })

/** A site with a robots.txt of many rules, each with wildcards, and a page of many links. */
async function crawl(server: WatchedServer): Promise<number> {
  const rules = Array.from({ length: 20_000 }, (_, n) => `Disallow: /*a*a*a*a${n}b`).join('\n')
  const links = Array.from({ length: 20 }, (_, n) => `<a href="/${'a'.repeat(1500)}${n}">x</a>`).join(' ')
  const site = createServer((request, response) => {
    if (request.url === '/robots.txt')
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`User-agent: *\n${rules}`)
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>A page.</p>${links}`)
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  try {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
    const loader = { name: 'cheerioWebScraper', inputs: { url, relativeLinksMethod: 'webCrawl', limit: 20 } }
    return await post(server, `/api/v1/vector/upsert/${await storeFlow(server, loader, SPLITTER)}`, {})
  } finally {
    site.closeAllConnections()
    site.close()
  }
}

/** Asks a flow that holds a thousand chunks of prose. */
const ask = (body: JsonObject) => async (server: WatchedServer) => {
  const form = new FormData()
  const words = [
    'otter',
    'weasel',
    'river',
    'stone',
    'fish',
    'night',
    'bank',
    'water',
    'winter',
    'tail',
    'song',
  ]
  const prose = Array.from(
    { length: 100 * KB },
    (_, n) => words[(n * n + (n >> 3)) % words.length]! + (n % 97),
  )
  form.append('files', new File([prose.join(' ')], 'prose.txt'))
  const status = await post(server, '/api/v1/vector/upsert/quickstart', form)
  if (status !== 200) throw new Error(`loading answers ${status}`)
  await server.longestBlock()
  return post(server, '/api/v1/vector/query/quickstart', body)
}

/** Levels of objects with unsorted keys, and much at the bottom. */
function nested(depth: number, numbers: number): JsonObject {
  let value: JsonObject = { z: Array.from({ length: numbers }, (_, n) => n), a: 0 }
  for (let level = 0; level < depth; level++) value = { z: value, a: 0 }
  return value
}

/** The settings of a server that may fetch the pages of {@link HOSTILE_INPUTS}. */
export const HOSTILE_SETTINGS = { EGRESS_ALLOW: '127.0.0.1', OCR_PAGES: '3' }

/** A scan, with a page of 400 million pixels. */
function scan(pages: number): Uint8Array {
  const large = { width: 20_000, height: 20_000, bits: true, data: new Uint8Array(2500 * 20_000) }
  return writePdf([{ lines: [], pictures: [large] }, ...Array.from({ length: pages }, scannedPage)])
}

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  loaded(
    'a scan of 2,000 pages, one of them 400 million pixels',
    { name: 'scan.pdf', content: () => scan(2000) },
    { loader: { name: 'pdfFile' } },
  ),
  loaded(
    '250 kB of backticks, as HTML',
    text(() => '`'.repeat(250 * KB)),
    cutBy('htmlToMarkdownTextSplitter'),
  ),
  loaded(
    '80 kB of open fences, as HTML',
    text(() => Array.from({ length: 8 * KB }, (_, n) => `\n${'`'.repeat(3 + (n % 3))}${n}`).join('')),
    cutBy('htmlToMarkdownTextSplitter'),
  ),
  loaded(
    '0.8 MB of "</a", as HTML',
    text(() => '</a'.repeat(270 * KB)),
    cutBy('htmlToMarkdownTextSplitter'),
  ),
  loaded(
    '2 MB of paragraphs, as HTML',
    text(() =>
      Array.from({ length: 40 * KB }, (_, n) => `<p>Some words of page ${n}, and a few more.</p>\n`).join(''),
    ),
    cutBy('htmlToMarkdownTextSplitter'),
  ),
  loaded(
    'HTML of 190,000 elements in 2 MB',
    text(() => `<p>${'<b>a</b>'.repeat(190 * KB)}`),
    cutBy('htmlToMarkdownTextSplitter'),
  ),
  loaded(
    'a sheet with a million empty columns',
    {
      name: 'a.xlsx',
      content: () =>
        workbook({
          a: data(row(inline('a'), '<c/>'.repeat(MB)), row(inline('b'))),
        }),
    },
    { loader: ANY },
  ),
  loaded(
    'a mail with 10,000 attachments',
    text(() => {
      const file = attached('a.txt', 'text/plain', 'words')
      return mailOfParts('mixed', [{ type: 'text/plain', body: 'x' }, ...Array(10 * KB).fill(file)])
    }, 'a.eml'),
    { loader: ANY },
  ),
  loaded(
    'a notebook with an output of 100 MB',
    text(
      () =>
        notebook([codeCell('x', { output_type: 'stream', name: 'stdout', text: 'words '.repeat(16 * MB) })]),
      'a.ipynb',
    ),
    { loader: ANY },
  ),
  loaded(
    '60 MB in one line, recursive',
    text(() => 'x'.repeat(60 * MB)),
    { loader: ANY },
  ),
  loaded(
    '15 MB in one line, by character',
    text(() => 'word '.repeat(3 * MB)),
    cutBy('characterTextSplitter'),
  ),
  loaded(
    '15 MB without a blank, by character',
    text(() => 'x'.repeat(15 * MB)),
    cutBy('characterTextSplitter'),
  ),
  loaded(
    '60 MB in one line, by character',
    text(() => 'x'.repeat(60 * MB)),
    cutBy('characterTextSplitter'),
  ),
  loaded(
    '10 MB in one line, markdown by headings',
    text(() => '#'.repeat(10 * MB)),
    {
      loader: ANY,
      splitter: { name: 'markdownTextSplitter', inputs: { splitByHeaders: 'h6' } },
    },
  ),
  loaded(
    '10 MB of backticks, markdown by headings',
    text(() => '`'.repeat(10 * MB)),
    {
      loader: ANY,
      splitter: { name: 'markdownTextSplitter', inputs: { splitByHeaders: 'h6' } },
    },
  ),
  loaded(
    '5 MB of line breaks, as code',
    text(() => '\n'.repeat(5 * MB)),
    cutBy('codeTextSplitter', { language: 'python' }),
  ),
  loaded(
    '1 MB of one letter, by tokens',
    text(() => 'a'.repeat(MB)),
    cutBy('tokenTextSplitter'),
  ),
  loaded(
    '1 MB of digits and blanks, by tokens',
    text(() => '1 '.repeat(500 * KB)),
    cutBy('tokenTextSplitter'),
  ),
  loaded(
    '1 MB of blanks, by tokens',
    text(() => ' '.repeat(MB)),
    cutBy('tokenTextSplitter'),
  ),
  loaded(
    '200 kB of one letter, by tokens',
    text(() => 'a'.repeat(200 * KB)),
    cutBy('tokenTextSplitter'),
  ),
  { name: 'robots.txt of 20,000 rules with wildcards', send: crawl },
  {
    name: 'canonical JSON of 4 MB, nested 150 times',
    async send(server) {
      const flow = await storeFlow(server, ANY, SPLITTER)
      return await post(server, `/api/v1/vector/upsert/${flow}`, {
        overrideConfig: { metadata: nested(150, 600 * KB) },
      })
    },
  },
  {
    name: 'canonical JSON of 4 MB, with a key of idempotency',
    async send(server) {
      const flow = await storeFlow(server, ANY, SPLITTER)
      const response = await fetch(`${server.url}/api/v1/vector/upsert/${flow}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${server.adminKey}`,
          'content-type': 'application/json',
          'idempotency-key': `key-${Math.random()}`,
        },
        body: JSON.stringify({ overrideConfig: { metadata: nested(150, 600 * KB) } }),
      })
      await response.arrayBuffer()
      return response.status
    },
  },
  {
    name: '10 queries of 85 kB',
    send: ask({
      queries: Array.from({ length: 10 }, (_, n) =>
        Array.from({ length: 9 * KB }, (_, w) => `otter${(n * w) % 9973}`).join(' '),
      ),
    }),
  },
  {
    name: '100 queries of 85 kB',
    send: ask({
      queries: Array.from({ length: 100 }, (_, n) =>
        Array.from({ length: 9 * KB }, (_, w) => `otter${(n * w) % 9973}`).join(' '),
      ),
    }),
  },
  {
    name: '100 queries of 9 kB',
    send: ask({
      queries: Array.from({ length: 100 }, (_, n) =>
        Array.from({ length: 1000 }, (_, w) => `w${n * 1000 + w}xyz`).join(' '),
      ),
    }),
  },
  {
    name: 'a query of 100 kB, marked',
    send: ask({ query: 'otter weasel '.repeat(8 * KB).slice(0, 100 * KB), highlight: true }),
  },
]
