import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import type { UpsertResult } from '../../src/upsert/outcome.ts'
import { form, makePlatform } from '../support/platform.ts'
import * as files from '../support/small-files.ts'
import { redirect, typed, website } from '../support/website.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-loaders-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const library = path.join(folder, 'library')
mkdirSync(path.join(library, 'deep'), { recursive: true })
writeFileSync(path.join(library, 'otter.txt'), 'The otter swims')
writeFileSync(path.join(library, 'deep', 'badger.md'), 'The badger digs')
writeFileSync(path.join(library, 'report.pdf'), files.pdf('The heron waits'))
writeFileSync(path.join(library, 'broken.pdf'), 'no PDF at all')
writeFileSync(path.join(folder, 'secret.txt'), 'outside')

const database = new DatabaseSync(path.join(library, 'deep', 'zoo.db'))
database.exec(`CREATE TABLE animals (name TEXT, habit TEXT, legs INTEGER);
  INSERT INTO animals VALUES ('otter', 'swims', 4), ('heron', 'waits', 2)`)

const platform = await makePlatform({ FOLDER_ALLOW: library }, { servers: 1 })

const load = (flow: string, overrideConfig: JsonObject = {}) =>
  platform.call<UpsertResult>('POST', `/api/v1/vector/upsert/${flow}`, { body: { overrideConfig } })
const rowsOf = ({ files }: UpsertResult) =>
  files.map(({ name, status, code }) => [name, status, code].join(' ').trim())
const sourcesOf = async (flow: string) => {
  const { body } = await platform.manage<{ data: { source: string }[] }>(
    'GET',
    `/api/v1/vector/sources/${flow}`,
  )
  return body.data.map(({ source }) => source)
}
const shown = { returnSourceDocuments: true }
const open = ['files', 'returnSourceDocuments'] as const
const documentsOf = ({ sourceDocuments }: UpsertResult) =>
  sourceDocuments!.map(({ pageContent, metadata: { loc: _, ...metadata } }) => ({ pageContent, metadata }))

const inline = (name: string, content: string | Uint8Array) =>
  `data:application/octet-stream;base64,${Buffer.from(content).toString('base64')},filename:${name}`

test('a flow that holds a file loads it by the JSON form, and an upload in its place by the other [upsert:form-by-loader]', async () => {
  const stored = JSON.stringify([
    inline('a, b.pdf', files.pdf('The otter swims')),
    inline('c.txt', 'The heron waits'),
  ])
  const flow = await platform.flow({
    loaders: { fileLoader: { file: stored } },
    recordManager: { cleanup: 'full' },
  })
  assert.deepEqual(rowsOf((await load(flow)).body), ['a, b.pdf indexed', 'c.txt indexed'])
  assert.deepEqual(rowsOf((await load(flow)).body), ['a, b.pdf unchanged', 'c.txt unchanged'])
  const { status, body, text } = await platform.upload(flow, { 'd.txt': 'The badger digs' })
  assert.equal(status, 200, text)
  assert.deepEqual(rowsOf(body), ['d.txt indexed'])
  assert.deepEqual(await sourcesOf(flow), ['d.txt'])
  const scratch = path.join(platform.dataDirectory, 'scratch')
  assert.ok(existsSync(scratch))
  assert.deepEqual(readdirSync(scratch), [])
})

test('a stored file that is elsewhere, damaged or of another type fails by name [upsert:errors]', async () => {
  const elsewhere = await platform.flow({
    loaders: { pdfFile: { pdfFile: 'FILE-STORAGE::["a.pdf","b.pdf"]' } },
  })
  const { status, body } = await load(elsewhere)
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body, { code: 'file_not_stored', file: 'a.pdf' })
  const mixed = JSON.stringify([
    inline('a.pdf', 'no PDF'),
    inline('b.txt', 'text'),
    inline('c.pdf', files.pdf('The otter')),
  ])
  const flow = await platform.flow({ loaders: { pdfFile: { pdfFile: mixed } } })
  assert.deepEqual(rowsOf((await load(flow)).body), [
    'a.pdf failed file_unreadable',
    'b.txt failed file_type_not_accepted',
    'c.pdf indexed',
  ])
})

test('the file of a flow is not to be overridden unless files are enabled [upsert:override:gated]', async () => {
  const flow = await platform.flow({
    loaders: { textFile: { txtFile: inline('own.txt', 'The otter swims') } },
    overridable: ['chunkSize'],
  })
  const { body } = await load(flow, { txtFile: inline('other.txt', 'The badger digs') })
  assert.deepEqual(rowsOf(body), ['own.txt indexed'])
  assert.deepEqual(body.warnings, [{ key: 'txtFile', reason: 'this flow does not allow overriding it' }])
})

test('two loaders that hold a file of one name do not mix them up', async () => {
  const flow = await platform.flow({
    loaders: {
      textFile: { txtFile: inline('a.txt', 'The otter swims') },
      fileLoader: { file: inline('a.txt', 'The badger digs') },
    },
  })
  for (const first of ['indexed', 'unchanged'])
    assert.deepEqual(rowsOf((await load(flow)).body), [`a.txt ${first}`, 'a.txt (2) failed file_duplicate'])
})

for (const [name, inputs] of [
  ['folderFiles', { folderPath: library }],
  ['sqlDatabase', { url: 'deep/zoo.db', query: 'SELECT * FROM animals' }],
  ['cheerioWebScraper', { url: 'http://127.0.0.1:9/' }],
  ['apiLoader', { url: 'http://127.0.0.1:9/' }],
  ['plainText', { text: 'The otter swims' }],
] as const)
  test(`${name} takes the JSON form and refuses files [upsert:form-by-loader]`, async () => {
    const flow = await platform.flow({ loaders: { [name]: inputs } })
    const body = form({ 'a.txt': 'x' })
    const answer = await platform.call<{ code: string }>('POST', `/api/v1/vector/upsert/${flow}`, { body })
    assert.deepEqual([answer.status, answer.body.code], [400, 'json_expected'])
    assert.notEqual((await load(flow)).status, 400)
  })

test('a flow that takes uploads refuses the JSON form [upsert:form-by-loader]', async () => {
  const flow = await platform.flow({ loaders: { fileLoader: {} } })
  const { status, body } = await load(flow)
  assert.deepEqual([status, (body as unknown as { code: string }).code], [400, 'form_expected'])
})

test('folderFiles loads each file of a folder as a row of its own, by its path in the folder', async () => {
  const inputs = { folderPath: library, recursive: true, pdfUsage: 'perFile' }
  const flow = await platform.flow({
    loaders: { folderFiles: inputs },
    recordManager: { cleanup: 'full' },
    overridable: open,
  })
  const rows = (status: string) => [
    'broken.pdf failed file_unreadable',
    `otter.txt ${status}`,
    `report.pdf ${status}`,
    `deep/badger.md ${status}`,
    'deep/zoo.db failed file_type_not_accepted',
  ]
  const first = await load(flow, shown)
  assert.deepEqual(rowsOf(first.body), rows('indexed'))
  assert.deepEqual(
    documentsOf(first.body).map(({ metadata }) => metadata.source),
    ['otter.txt', 'report.pdf', 'deep/badger.md'],
  )
  assert.deepEqual(rowsOf((await load(flow)).body), rows('unchanged'))

  writeFileSync(path.join(library, 'new.txt'), 'The crow calls')
  assert.equal((await load(flow)).body.numAdded, 1)
  rmSync(path.join(library, 'new.txt'))
  assert.equal((await load(flow)).body.numDeleted, 1)
  assert.deepEqual((await sourcesOf(flow)).toSorted(), ['deep/badger.md', 'otter.txt', 'report.pdf'])
})

for (const folderPath of [folder, `${library}/..`, platform.dataDirectory, '', 'nowhere', '/'])
  test(`folderFiles reads nothing outside of FOLDER_ALLOW: ${folderPath.replace(folder, '…').replace(platform.dataDirectory, 'the data directory')}`, async () => {
    const flow = await platform.flow({ loaders: { folderFiles: { folderPath } } })
    const { status, body } = await load(flow)
    assert.equal(status, 422)
    assert.partialDeepStrictEqual(body, { code: 'path_not_allowed', file: 'folderFiles_0' })
  })

test('sqlDatabase loads the rows of a query under the name of the database and its table', async () => {
  const inputs = {
    databaseType: 'sqlite',
    url: path.join(library, 'deep', 'zoo.db'),
    query: 'SELECT name, habit, legs FROM animals ORDER BY legs',
    contentColumns: 'name, habit',
    metadataColumns: 'legs',
  }
  const drawing = {
    loaders: { sqlDatabase: inputs },
    recordManager: { cleanup: 'incremental' },
    overridable: open,
  }
  const flow = await platform.flow(drawing)
  const { body, text } = await load(flow, shown)
  assert.deepEqual(rowsOf(body), ['zoo.db/animals indexed'], text)
  const source = 'zoo.db/animals'
  assert.deepEqual(documentsOf(body), [
    { pageContent: 'name: heron\nhabit: waits', metadata: { source, legs: 2 } },
    { pageContent: 'name: otter\nhabit: swims', metadata: { source, legs: 4 } },
  ])
  database.exec("DELETE FROM animals WHERE name = 'heron'; INSERT INTO animals VALUES ('ant', 'carries', 6)")
  assert.partialDeepStrictEqual((await load(flow)).body, { numAdded: 1, numSkipped: 1, numDeleted: 1 })
})

for (const [what, inputs, code] of [
  ['a file outside of FOLDER_ALLOW', { url: path.join(folder, 'secret.txt') }, 'path_not_allowed'],
  [
    'the database of the server itself',
    { url: path.join(platform.dataDirectory, 'sluice.db') },
    'path_not_allowed',
  ],
  ['what is no database', { url: 'otter.txt' }, 'file_unreadable'],
  ['a statement that writes', { url: 'deep/zoo.db', query: 'DELETE FROM animals' }, 'file_unreadable'],
] as const)
  test(`sqlDatabase refuses ${what}`, async () => {
    const flow = await platform.flow({ loaders: { sqlDatabase: { query: 'SELECT 1', ...inputs } } })
    const { status, body } = await load(flow)
    assert.deepEqual([status, (body as unknown as { code: string }).code], [422, code])
  })

const page = (text: string, ...links: string[]) =>
  `<title>${text}</title><p>${text}</p>${links.map((link) => `<a href="${link}"></a>`).join('')}`

test('cheerioWebScraper crawls a site, each page a row by its address; what fails fails alone', async () => {
  const site = await website({
    '/': page('Home', '/a', '/gone', '/manual.pdf', '/away'),
    '/a': page('Otters', '/b'),
    '/b': page('Badgers'),
    '/manual.pdf': typed('application/pdf', '%PDF-'),
    '/away': redirect('https://elsewhere.test/'),
  })
  const flow = await platform.flow({
    loaders: { cheerioWebScraper: { url: site.url, relativeLinksMethod: 'webCrawl', limit: '0' } },
    overridable: open,
  })
  const { body, text } = await load(flow, shown)
  assert.deepEqual(
    rowsOf(body),
    [
      '/ indexed',
      '/a indexed',
      '/gone failed fetch_failed',
      '/manual.pdf empty',
      '/away empty',
      '/b indexed',
    ].map((row) => site.url + row),
    text,
  )
  assert.equal(body.numFailed, 1)
  assert.deepEqual(documentsOf(body)[1], {
    pageContent: 'Otters',
    metadata: { source: `${site.url}/a`, title: 'Otters' },
  })
  assert.deepEqual(body.warnings.map(({ key }) => key.replace(site.url, '')).toSorted(), [
    '/away',
    '/manual.pdf',
  ])
})

test('two loaders that come upon one page are two rows, and its chunks are stored once', async () => {
  const site = await website({ '/': 'The otter swims' })
  const url = `${site.url}/`
  const flow = await platform.flow({
    loaders: { apiLoader: { url }, cheerioWebScraper: { url } },
    overridable: ['metadata'],
  })
  const { body } = await load(flow, { metadata: { url: '' } })
  assert.deepEqual(rowsOf(body), [`${url} indexed`, `${url} (2) indexed`])
  assert.partialDeepStrictEqual(body, { numAdded: 1, numSkipped: 1, totalKeys: 1 })
})

test('the address of a loader is not opened by a list for all nodes [upsert:override:gated]', async () => {
  const site = await website({ '/': page('Home'), '/other': page('Other') })
  const guarded = {
    cheerioWebScraper: { url: `${site.url}/` },
    folderFiles: { folderPath: library },
    sqlDatabase: { url: 'deep/zoo.db', query: 'SELECT name FROM animals' },
  }
  const overridable = ['url', 'folderPath', 'query', 'selectedLinks', 'headers', 'unstructuredAPIUrl']
  const flow = await platform.flow({ loaders: guarded, overridable })
  const asked = { url: `${site.url}/other`, folderPath: folder, query: 'SELECT habit FROM animals' }
  const { body } = await load(flow, asked)
  assert.deepEqual(body.warnings.map(({ key }) => key).slice(0, 3), ['url', 'folderPath', 'query'])
  assert.deepEqual(site.asked, ['/robots.txt', '/'])
})

test('a full cleanup spares what a page that failed may have led to [upsert:records]', async () => {
  let isDown = false
  const site = await website({
    '/': page('Home', '/hub', '/old'),
    '/hub': (_request, response) =>
      void response.writeHead(isDown ? 500 : 200, { 'content-type': 'text/html' }).end(page('Hub', '/leaf')),
    '/leaf': page('Leaf'),
    '/old': page('Old'),
  })
  const flow = await platform.flow({
    loaders: { cheerioWebScraper: { url: site.url, relativeLinksMethod: 'webCrawl' } },
    recordManager: { cleanup: 'full' },
  })
  assert.equal((await load(flow)).body.numAdded, 4)
  isDown = true
  const { body } = await load(flow)
  assert.partialDeepStrictEqual(body, { numDeleted: 0, numSkipped: 2, numFailed: 1 })
  assert.deepEqual(body.warnings, [
    { key: 'cleanup', reason: 'full: other sources stay, since what failed may lead to them' },
  ])
  assert.equal((await sourcesOf(flow)).length, 4)
})

test('cheerioWebScraper reads the pages of a sitemap', async () => {
  const site = await website({
    '/sitemap.xml': (_request, response, url) =>
      void response.end(`<urlset><url><loc>${url}/a</loc></url><url><loc>${url}/b</loc></url></urlset>`),
    '/a': page('Otters'),
    '/b': page('Badgers'),
  })
  const inputs = { url: `${site.url}/sitemap.xml`, relativeLinksMethod: 'scrapeXMLSitemap', selector: 'p' }
  const flow = await platform.flow({ loaders: { cheerioWebScraper: inputs } })
  assert.deepEqual(rowsOf((await load(flow)).body), [`${site.url}/a indexed`, `${site.url}/b indexed`])
})

for (const [inputs, reason] of [
  [{ url: 'no address' }, /Invalid URL/],
  [{ url: 'file:///etc/passwd' }, /Invalid URL/],
  [{ url: 'http://a:b@127.0.0.1/' }, /with a name and password is not accepted/],
  [{ url: 'http://127.0.0.1/', selector: 'p[' }, /./],
  [{ url: 'http://127.0.0.1/', limit: '-1' }, /at least 0/],
] as const)
  test(`cheerioWebScraper refuses ${JSON.stringify(inputs)} [upsert:errors]`, async () => {
    const flow = await platform.flow({ loaders: { cheerioWebScraper: inputs } })
    const { status, body } = await load(flow)
    const { code, message } = body as unknown as { code: string; message: string }
    assert.deepEqual([status, code], [422, 'input_invalid'])
    assert.match(message, reason)
  })

test('apiLoader loads the answer of an API: JSON laid out, other text as it is, a failure by its status', async () => {
  const site = await website({
    '/json': (request, response) => {
      let sent = ''
      request.on('data', (piece) => {
        sent += piece
      })
      request.on('end', () => {
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ method: request.method, key: request.headers['x-key'], sent: JSON.parse(sent) }),
        )
      })
    },
    '/text': typed('text/plain; charset=iso-8859-1', Buffer.from('Bl\xe4ss', 'latin1')),
    '/png': typed('image/png', files.png()),
    '/down': (_request, response) => void response.writeHead(503).end('secret words'),
  })
  const call = async (inputs: JsonObject) => {
    const flow = await platform.flow({ loaders: { apiLoader: inputs }, splitter: false, overridable: open })
    return load(flow, shown)
  }
  const url = `${site.url}/json`
  const posted = await call({ method: 'POST', url, headers: '{"X-Key": "k"}', body: { q: 1 } })
  assert.deepEqual(documentsOf(posted.body), [
    {
      pageContent: JSON.stringify({ method: 'POST', key: 'k', sent: { q: 1 } }, null, 2),
      metadata: { source: url, url },
    },
  ])
  assert.equal(documentsOf((await call({ url: `${site.url}/text` })).body)[0]!.pageContent, 'Bläss')
  const down = await call({ url: `${site.url}/down` })
  assert.equal(down.status, 502)
  assert.match(down.text, /the server answers 503/)
  assert.doesNotMatch(down.text, /secret words/)
  assert.match((await call({ url: `${site.url}/png` })).text, /is not text/)
})

test('unstructuredFileLoader without the address of a server says what reads files instead; the flow opens and answers [upsert:unstructured]', async () => {
  // As flows of earlier versions are stored, which read files themselves then.
  const flow = await platform.flow({
    loaders: { unstructuredFileLoader: { chunkingStrategy: 'None', sourceIdKey: 'file' } },
    splitter: false,
    overridable: open,
  })
  const { status, body } = await platform.upload(flow, { 'a.md': '# Otters\n' })
  assert.deepEqual(
    [status, (body as unknown as { message: string }).message],
    [
      422,
      'The input Unstructured API URL of the node unstructuredFileLoader node is not valid: it has no address of an Unstructured server; without one use the node File Loader (fileLoader), which reads the same files',
    ],
  )
  assert.equal((await platform.manage('GET', `/api/v1/chatflows/${flow}`)).status, 200)
  const found = await platform.call('POST', `/api/v1/vector/query/${flow}`, { body: { query: 'otters' } })
  assert.equal(found.status, 200, found.text)
})

test('unstructuredFileLoader has files taken apart by the service it names, with the key of its credential [upsert:types]', async () => {
  const asked: { key: unknown; form: FormData }[] = []
  const service = await website({
    '/general': async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      const headers = { 'content-type': request.headers['content-type']! }
      const form = await new Response(Buffer.concat(pieces), { headers }).formData()
      asked.push({ key: request.headers['unstructured-api-key'], form })
      const elements = [
        { type: 'Title', text: 'Otters', metadata: { page_number: 2 } },
        { type: 'PageBreak', text: '', metadata: {} },
        { type: 'NarrativeText', text: 'They swim.', metadata: { filename: 'x.png' } },
      ]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(elements))
    },
  })
  const { body: stored, text } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
    name: 'a key',
    credentialName: 'unstructuredApi',
    plainDataObj: { unstructuredAPIKey: 'the-key' },
  })
  const inputs = {
    credential: stored.id,
    unstructuredAPIUrl: `${service.url}/general`,
    ocrLanguages: '["eng","deu"]',
    maxCharacters: '300',
  }
  const flow = await platform.flow({
    loaders: { unstructuredFileLoader: inputs },
    splitter: false,
    overridable: open,
  })
  const { body } = await platform.upload(flow, { 'x.png': files.png() }, { returnSourceDocuments: 'true' })
  assert.deepEqual(
    documentsOf(body),
    [
      { pageContent: 'Otters', metadata: { source: 'x.png', page_number: 2, category: 'Title' } },
      {
        pageContent: 'They swim.',
        metadata: { source: 'x.png', filename: 'x.png', category: 'NarrativeText' },
      },
    ],
    text,
  )
  const [{ key, form }] = asked as [(typeof asked)[0]]
  assert.equal(key, 'the-key')
  assert.equal((form.get('files') as File).name, 'x.png')
  assert.equal((form.get('files') as File).size, files.png().length)
  assert.deepEqual(form.getAll('ocr_languages'), ['eng', 'deu'])
  assert.deepEqual(
    ['strategy', 'chunking_strategy', 'max_characters'].map((name) => form.get(name)),
    ['auto', 'by_title', '300'],
  )
})

test('unstructuredFileLoader names the file that the service refuses', async () => {
  const service = await website({
    '/refuses': (_request, response) => void response.writeHead(401).end('bad key'),
    '/other': typed('text/html', 'hello'),
  })
  for (const [at, reason] of [
    ['/refuses', /a\.txt could not be fetched: the Unstructured API answers 401/],
    ['/other', /not a list of elements/],
  ] as const) {
    const inputs = { unstructuredAPIUrl: service.url + at }
    const flow = await platform.flow({ loaders: { unstructuredFileLoader: inputs }, splitter: false })
    const { status, text } = await platform.upload(flow, { 'a.txt': 'x' })
    assert.equal(status, 502)
    assert.match(text, reason)
  }
})
