import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { UploadedFile } from '../../src/contract/loader.ts'
import { createFileParser } from '../../src/formats/pool.ts'
import { sha256 } from '../../src/kit/hash.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { builtPart } from '../support/built-part.ts'
import { doc, docx, odt, pdf, png, pptx, xls, xlsx } from '../support/small-files.ts'
import { typed, website } from '../support/website.ts'
import { loaderSuite } from './loader.ts'

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-loaders-')))
const [uploaded, scratch, shared] = ['uploaded', 'scratch', 'shared'].map((name) => path.join(home, name))
for (const folder of [uploaded, scratch, shared]) mkdirSync(folder!)
const parser = createFileParser({ readable: [home] })
after(async () => {
  await parser.close()
  rmSync(home, { recursive: true, force: true })
})

function upload(name: string, content: string | Uint8Array): UploadedFile {
  const bytes = Buffer.from(content)
  const file = path.join(uploaded!, `${sha256(name).slice(0, 8)}-${path.extname(name)}`)
  writeFileSync(file, bytes)
  return { name, path: file, size: bytes.length, sha256: sha256(bytes) }
}

const loaderOf = (node: string, inputs: JsonObject = {}) => ({
  make: (more: JsonObject = {}) =>
    builtPart(
      'loader',
      node,
      { ...inputs, ...more },
      {
        parser,
        scratch: scratch!,
        folders: { allowed: [shared!], never: [] },
      },
    ),
})

type Content = string | Uint8Array

/** The nodes that take uploads: an ending that each reads, and two contents of such a file. */
const UPLOADS: [node: string, ending: string, one: Content, other: Content][] = [
  ['csvFile', '.csv', 'name,age\nheron,3\notter,4\n', 'name\nkingfisher\n'],
  ['docxFile', '.docx', docx('heron'), docx('otter')],
  ['microsoftWord', '.docx', docx('heron'), docx('otter')],
  ['microsoftWord', '.doc', doc('heron'), doc('otter')],
  ['fileLoader', '.odt', odt('heron'), odt('otter')],
  ['fileLoader', '.md', '# Heron\n\nstands\n', '# Otter\n'],
  ['fileLoader', '.pdf', pdf('heron'), pdf('otter')],
  ['jsonFile', '.json', '{"bird": "heron", "count": [1, 2]}', '["otter"]'],
  ['jsonlinesFile', '.jsonl', '{"text": "heron"}\n{"text": "otter"}\n', '{"text": "kingfisher"}\n'],
  ['microsoftExcel', '.xlsx', xlsx('heron'), xlsx('otter')],
  ['microsoftExcel', '.xls', xls('heron'), xls('otter')],
  ['microsoftPowerpoint', '.pptx', pptx('heron'), pptx('otter')],
  ['pdfFile', '.pdf', pdf('heron'), pdf('otter')],
  ['textFile', '.txt', 'The heron stands.\n', 'The otter swims.\n'],
  ['unstructuredFileLoader', '.md', '# Heron\n\nstands\n', '# Otter\n\nswims\n'],
]

/** An Unstructured server that answers with the lines of a file. */
const partition = await website({
  '/general': async (request, response) => {
    const headers = { 'content-type': request.headers['content-type']! }
    const sent = await new Response(await buffer(request), { headers }).formData()
    const lines = (await (sent.get('files') as File).text()).split('\n').filter(Boolean)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(lines.map((text) => ({ type: 'NarrativeText', text, metadata: {} }))))
  },
})

const INPUTS: Record<string, JsonObject> = {
  jsonlinesFile: { pointerName: '/text' },
  unstructuredFileLoader: { unstructuredAPIUrl: `${partition.url}/general` },
}

/** They take any file. */
const TAKES_ALL = ['unstructuredFileLoader']

for (const [node, ending, one, other] of UPLOADS) {
  const readable = upload(`${node}-one${ending}`, one)
  const copy = { ...readable, name: `${node}-copy${ending}`, path: `${readable.path}-copy${ending}` }
  copyFileSync(readable.path, copy.path)
  loaderSuite(`${node} ${ending}`, {
    ...loaderOf(node, INPUTS[node]),
    uploads: {
      readable,
      copy,
      other: upload(`${node}-other${ending}`, other),
      ...(TAKES_ALL.includes(node) ? {} : { refused: upload(`${node}-picture.png`, png()) }),
    },
  })
}

const stored = Buffer.from('The heron stands.').toString('base64')
const readable = upload('stored-one.txt', 'The heron stands.\n')
const copy = { ...readable, name: 'stored-copy.txt' }
loaderSuite('textFile with a stored file', {
  ...loaderOf('textFile', { txtFile: `data:text/plain;base64,${stored},filename:stored.txt` }),
  uploads: {
    readable,
    copy,
    other: upload('stored-other.txt', 'The otter swims.\n'),
    refused: upload('stored.png', png()),
  },
  hasItems: true,
})

mkdirSync(path.join(shared!, 'below'))
writeFileSync(path.join(shared!, 'one.txt'), 'The heron stands.\n')
writeFileSync(path.join(shared!, 'below/two.md'), '# Otter\n')
const birds = path.join(home, 'shared', 'birds.db')
const database = new DatabaseSync(birds)
database.exec(
  "CREATE TABLE birds (name TEXT, age INTEGER); INSERT INTO birds VALUES ('heron', 3), ('ibis', 4)",
)
database.close()

const site = await website({
  '/': '<html><title>Birds</title><body><h1>Birds</h1><a href="/heron">Heron</a></body></html>',
  '/heron': '<html><body><p>The heron stands.</p></body></html>',
  '/api': typed('application/json', '{"birds": ["heron"]}'),
  '/search?engine=google&q=herons': typed(
    'application/json',
    '{"search_metadata": {"id": "s"}, "organic_results": [{"title": "Herons", "snippet": "They stand."}]}',
  ),
})

/** A GitHub server of a company: it has its API below the address of its pages. */
const github = await website({
  '/api/v3/repos/birds/book/git/trees/main?recursive=1': typed(
    'application/json',
    JSON.stringify({ tree: [{ path: 'heron.md', type: 'blob', mode: '100644', sha: 'a1' }] }),
  ),
  '/api/v3/repos/birds/book/git/blobs/a1': typed('application/vnd.github.raw', '# Heron\n\nIt stands.\n'),
})

/** The nodes that find their documents by themselves. */
const ITEMS: [node: string, inputs: JsonObject][] = [
  ['plainText', { text: 'The heron stands.' }],
  ['folderFiles', { folderPath: path.join(shared!, 'below') }],
  ['sqlDatabase', { url: birds, query: 'SELECT * FROM birds' }],
  ['apiLoader', { url: `${site.url}/api` }],
  ['searchApi', { query: 'herons', searchAddress: `${site.url}/search` }],
  ['cheerioWebScraper', { url: `${site.url}/` }],
  ['github', { repoLink: `${github.url}/birds/book` }],
  ['cheerioWebScraper', { url: `${site.url}/`, relativeLinksMethod: 'webCrawl' }],
]

for (const [node, inputs] of ITEMS)
  loaderSuite(`${node} ${Object.keys(inputs).join(', ')}`, { ...loaderOf(node, inputs), hasItems: true })

test('loaderSuite() is run by every loader of the catalog', () => {
  // documentStore reads the chunks of another flow: test/api/document-store-nodes.test.ts.
  const loaders = [...catalog.values()]
    .filter(({ kind, name }) => kind === 'loader' && name !== 'documentStore')
    .map(({ name }) => name)
  const run = new Set([...UPLOADS.map(([node]) => node), ...ITEMS.map(([node]) => node)])
  assert.deepEqual([...run].sort(), loaders.sort())
})
