import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form, makePlatform, type Scenario, testScenarios } from '../support/platform.ts'
import * as files from '../support/small-files.ts'

const platform = await makePlatform()
const ALL = [
  'files',
  'chunkSize',
  'chunkOverlap',
  'metadata',
  'returnSourceDocuments',
  'addMetadata',
] as const
const quick = await platform.flow({ name: 'Open to overrides', overridable: ALL })
const closedKeys = await platform.flow({ name: 'Files and no more', overridable: ['files'] })
const shut = await platform.flow({ name: 'Nothing open', overridable: false })
const plain = await platform.flow({
  name: 'Plain text',
  loaders: { plainText: { text: '\ufeffOtters swim — ünïcödé 🦦.' } },
  overridable: ['text', 'returnSourceDocuments'],
  recordManager: { cleanup: 'incremental' },
})
const pdfOnly = await platform.flow({ name: 'Portable documents', loaders: { pdfFile: {} } })
const everything = await platform.flow({ name: 'Everything' })
const noStore = await platform.flow({ name: 'No store', store: false })
const noLoader = await platform.flow({ name: 'No loader', loaders: {} })
const upsertPath = (flow: string) => `/api/v1/vector/upsert/${flow}`
const sourcesOf = async (flow: string) => {
  const { body } = await platform.manage<{ data: { source: string; chunks: number }[] }>(
    'GET',
    `/api/v1/vector/sources/${flow}`,
  )
  return body.data.map(({ source, chunks }) => `${source} ${chunks}`)
}
const counters = { numAdded: 0, numUpdated: 0, numSkipped: 0, numDeleted: 0 }

test('an upload answers 200, four counters and a row per file [upsert:path, upsert:multipart, upsert:response]', async () => {
  const flow = await platform.flow({})
  const answer = await platform.upload(flow, { 'a.txt': 'Otters swim.', 'b.txt': 'Badgers dig.' })
  assert.equal(answer.status, 200, answer.text)
  const { timeTaken, jobId, ...body } = answer.body as typeof answer.body & {
    timeTaken: number
    jobId: string
  }
  const row = { status: 'indexed', chunks: 1, added: 1, updated: 0, skipped: 0, deleted: 0 }
  const lines = { loc: { lines: { from: 1, to: 1 } } }
  assert.deepEqual(body, {
    ...counters,
    numAdded: 2,
    totalKeys: 2,
    numOutdated: 0,
    numFailed: 0,
    numEmpty: 0,
    files: [
      { name: 'a.txt', ...row },
      { name: 'b.txt', ...row },
    ],
    warnings: [],
    addedDocs: [
      { pageContent: 'Otters swim.', metadata: { source: 'a.txt', ...lines } },
      { pageContent: 'Badgers dig.', metadata: { source: 'b.txt', ...lines } },
    ],
  })
  assert.equal(typeof timeTaken, 'number')
  assert.equal(typeof jobId, 'string')
})

for (const [what, drawing] of [
  ['with a record manager', { recordManager: { cleanup: 'incremental' } }],
  ['without a record manager', {}],
] as const)
  test(`the four counters are numbers ${what}, on the first run and on the second [upsert:response, upsert:idempotent]`, async () => {
    const flow = await platform.flow(drawing)
    const first = await platform.upload(flow, { 'a.txt': 'Otters swim.' })
    assert.partialDeepStrictEqual(first.body, { ...counters, numAdded: 1 })
    const second = await platform.upload(flow, { 'a.txt': 'Otters swim.' })
    assert.partialDeepStrictEqual(second.body, {
      ...counters,
      numSkipped: 1,
      totalKeys: 1,
      files: [{ name: 'a.txt', status: 'unchanged', chunks: 1, skipped: 1 }],
    })
  })

const TYPES: [loader: string, file: string, content: string | Uint8Array<ArrayBuffer>][] = [
  ['csvFile', 'a.csv', 'animal,habit\notter,swims\n'],
  ['docxFile', 'a.docx', files.docx('The otter swims')],
  ['microsoftWord', 'b.docx', files.docx('The otter swims')],
  ['jsonFile', 'a.json', '{"animal": "otter", "habit": "swims"}'],
  ['jsonlinesFile', 'a.jsonl', '{"animal": "otter"}\n{"animal": "badger"}\n'],
  ['pdfFile', 'a.pdf', files.pdf('The otter swims')],
  ['textFile', 'a.txt', 'The otter swims'],
  ['microsoftExcel', 'a.xlsx', files.xlsx('The otter swims')],
  ['microsoftPowerpoint', 'a.pptx', files.pptx('The otter swims')],
]

for (const [loader, file, content] of TYPES)
  test(`${loader} loads ${file} [upsert:types]`, async () => {
    const flow = await platform.flow({ loaders: { [loader]: {} } })
    const { body, text } = await platform.upload(flow, { [file]: content })
    assert.equal(body.numFailed, 0, text)
    const { body: found } = await platform.query(flow, { query: 'otter', topK: 1 })
    assert.match(found.docs[0]!.pageContent, /otter/)
    assert.equal(found.docs[0]!.metadata.source, file)
  })

test('fileLoader loads all the types in one request [upsert:types]', async () => {
  const flow = await platform.flow({})
  const { body, text } = await platform.upload(
    flow,
    Object.fromEntries(TYPES.map(([, file, content]) => [file, content])),
  )
  assert.deepEqual(
    body.files.map(({ name, status }) => `${name} ${status}`),
    TYPES.map(([, file]) => `${file} indexed`),
    text,
  )
})

const sourceDocuments = { returnSourceDocuments: 'true' }
const words = 'one two three four five six seven eight nine ten'

/** How many chunks ten words give, by the values that a request sends. */
for (const { how, fields, chunks } of [
  { how: 'nothing', fields: {}, chunks: 1 },
  { how: 'overrideConfig', fields: { overrideConfig: '{"chunkSize": 10, "chunkOverlap": 0}' }, chunks: 6 },
  {
    how: 'numbers as text',
    fields: { overrideConfig: '{"chunkSize": "10", "chunkOverlap": "0"}' },
    chunks: 6,
  },
  { how: 'flat fields', fields: { chunkSize: '10', chunkOverlap: '0' }, chunks: 6 },
  {
    how: 'a flat field over overrideConfig',
    fields: { overrideConfig: '{"chunkSize": 1000, "chunkOverlap": 0}', chunkSize: '10' },
    chunks: 6,
  },
  {
    how: 'a flat field before overrideConfig',
    fields: { chunkSize: '10', overrideConfig: '{"chunkSize": 1000, "chunkOverlap": 0}' },
    chunks: 6,
  },
  {
    how: 'a map of nodes',
    fields: { overrideConfig: '{"chunkSize": {"recursiveCharacterTextSplitter_0": 10}, "chunkOverlap": 0}' },
    chunks: 6,
  },
  {
    how: 'a flat field for a node',
    fields: { 'chunkSize[recursiveCharacterTextSplitter_0]': '10', chunkOverlap: '0' },
    chunks: 6,
  },
  { how: 'an empty overrideConfig', fields: { overrideConfig: '' }, chunks: 1 },
  { how: 'overrideConfig null', fields: { overrideConfig: 'null' }, chunks: 1 },
  { how: 'null values', fields: { overrideConfig: '{"chunkSize": null}' }, chunks: 1 },
])
  test(`${how} cuts into ${chunks} [upsert:override:keys, upsert:multipart:flat]`, async () => {
    const { body, text } = await platform.upload(
      quick,
      { 'words.txt': words },
      { ...sourceDocuments, ...fields },
    )
    assert.equal(body.sourceDocuments?.length, chunks, text)
    // That the chunks of the earlier cut stay is told, and is no matter here.
    assert.deepEqual(
      body.warnings.filter(({ key }) => key !== 'cleanup'),
      [],
    )
  })

test('chunkOverlap 0 is a value, not an absence [upsert:override:gated]', async () => {
  const cut = async (chunkOverlap: number) => {
    const overrideConfig = JSON.stringify({ chunkSize: 20, chunkOverlap, returnSourceDocuments: true })
    const { body } = await platform.upload(quick, { 'words.txt': words }, { overrideConfig })
    return body.sourceDocuments!.map(({ pageContent }) => pageContent).join('|')
  }
  assert.equal(await cut(0), 'one two three four|five six seven|eight nine ten')
  assert.equal(await cut(10), 'one two three four|four five six seven|six seven eight|eight nine ten')
})

test('metadata and addMetadata reach every chunk, the last wins, and the source stays what it was [upsert:override:keys, upsert:source-id]', async () => {
  const flow = await platform.flow({
    loaders: { textFile: { metadata: { team: 'drawn', drawn: true } } },
    overridable: ALL,
    recordManager: { cleanup: 'incremental' },
  })
  const overrideConfig = JSON.stringify({
    metadata: { team: 'metadata', year: 2024, source: 'elsewhere' },
    addMetadata: { team: 'added', nested: { deep: [1] } },
    returnSourceDocuments: true,
  })
  await platform.upload(flow, { elsewhere: 'Badgers dig.' })
  const { body } = await platform.upload(flow, { 'a.txt': 'Otters swim.' }, { overrideConfig })
  assert.partialDeepStrictEqual(body.sourceDocuments![0]!.metadata, {
    team: 'added',
    drawn: true,
    year: 2024,
    source: 'elsewhere',
    nested: { deep: [1] },
  })
  assert.deepEqual(await sourcesOf(flow), ['a.txt 1', 'elsewhere 1'])
})

test('metadata as a flat field is JSON text [upsert:multipart:flat]', async () => {
  const fields = { ...sourceDocuments, metadata: '{"team": "blue"}', addMetadata: '{"year": 2024}' }
  const { body } = await platform.upload(quick, { 'a.txt': 'Otters swim.' }, fields)
  assert.partialDeepStrictEqual(body.sourceDocuments![0]!.metadata, { team: 'blue', year: 2024 })
})

test('returnSourceDocuments shows all chunks in order, also those that were there already [upsert:source-documents]', async () => {
  const flow = await platform.flow({ overridable: ALL, splitter: { chunkSize: 10, chunkOverlap: 0 } })
  await platform.upload(flow, { 'b.txt': words })
  const { body } = await platform.upload(flow, { 'a.txt': 'Otters.', 'b.txt': words }, sourceDocuments)
  assert.deepEqual(
    body.sourceDocuments!.map(({ pageContent, metadata }) => `${metadata.source}: ${pageContent}`),
    [
      'a.txt: Otters.',
      ...['one two', 'three', 'four five', 'six seven', 'eight', 'nine ten'].map((text) => `b.txt: ${text}`),
    ],
  )
  assert.partialDeepStrictEqual(body, { numAdded: 1, numSkipped: 6, addedDocs: [{ pageContent: 'Otters.' }] })
})

test('without returnSourceDocuments there are none, and at most 20 of the added [upsert:source-documents]', async () => {
  const flow = await platform.flow({ splitter: { chunkSize: 4, chunkOverlap: 0 } })
  const text = Array.from({ length: 50 }, (_, i) => i + 100).join(' ')
  const { body } = await platform.upload(flow, { 'a.txt': text })
  assert.equal(body.numAdded, 50)
  assert.equal(body.addedDocs.length, 20)
  assert.ok(!('sourceDocuments' in body))
})

const closedForm = (overrideConfig: object) =>
  form({ 'a.txt': words }, { overrideConfig: JSON.stringify(overrideConfig) })

/** What took no effect is said, with its reason. */
const IGNORED: [what: string, overrides: object, key: string, reason: string][] = [
  ['a number', { chunkSize: 10 }, 'chunkSize', 'this flow does not allow overriding it'],
  ['zero', { chunkOverlap: 0 }, 'chunkOverlap', 'this flow does not allow overriding it'],
  ['an empty text', { omitMetadataKeys: '' }, 'omitMetadataKeys', 'this flow does not allow overriding it'],
  [
    'false',
    { returnSourceDocuments: false },
    'returnSourceDocuments',
    'this flow does not allow overriding it',
  ],
  ['an object', { metadata: { team: 'blue' } }, 'metadata', 'this flow does not allow overriding it'],
  ['addMetadata', { addMetadata: { team: 'blue' } }, 'addMetadata', 'this flow does not allow overriding it'],
  [
    'a map of nodes',
    { chunkSize: { recursiveCharacterTextSplitter_0: 9 } },
    'chunkSize',
    'this flow does not allow overriding it',
  ],
  ['a key that no node has', { colour: 10 }, 'colour', 'no node of this flow has such an input'],
  [
    'a misspelt key',
    { chunksize: 10 },
    'chunksize',
    'no node of this flow has such an input; did you mean chunkSize?',
  ],
  ['a connection', { textSplitter: 'x' }, 'textSplitter', 'it is a connection between nodes, not an input'],
  [
    'a key of every object',
    { constructor: 'x', toString: 'y' },
    'constructor',
    'no node of this flow has such an input',
  ],
]
testScenarios(
  platform,
  IGNORED.map(([what, overrides, key, reason]) => ({
    name: `${what} that the flow does not open takes no effect and is named [upsert:override:gated, upsert:override:reported]`,
    method: 'POST',
    path: upsertPath(closedKeys),
    body: closedForm(overrides),
    status: 200,
    expect: { files: [{ chunks: 1 }], warnings: [{ key, reason }] },
    absent: ['blue', '"sourceDocuments"'],
  })),
)

const two = new FormData()
two.append('files', new File(['Otters swim.'], 'a.txt'))
two.append('files', new File(['Badgers dig.'], 'a.txt'))
const misnamed = new FormData()
misnamed.append('file', new File(['Otters swim.'], 'a.txt'))

const REFUSED: Scenario[] = [
  {
    name: 'uploads to a flow that does not enable files are refused [upsert:override:gated]',
    path: upsertPath(shut),
    body: form({ 'a.txt': 'words' }),
    status: 400,
    expect: { code: 'override_not_enabled' },
  },
  {
    name: 'JSON to a flow that takes uploads is the wrong form [upsert:form-by-loader]',
    path: upsertPath(everything),
    body: {},
    status: 400,
    expect: { code: 'form_expected' },
    contains: ['multipart/form-data', 'files'],
  },
  {
    name: 'nothing at all to a flow that takes uploads is the wrong form [upsert:form-by-loader]',
    path: upsertPath(everything),
    status: 400,
    expect: { code: 'form_expected' },
  },
  {
    name: 'a form without files to a flow that takes uploads is the wrong form [upsert:form-by-loader]',
    path: upsertPath(everything),
    body: form({}, { chunkSize: '10' }),
    status: 400,
    expect: { code: 'form_expected' },
  },
  {
    name: 'files to a flow with a loader that fetches are the wrong form [upsert:form-by-loader]',
    path: upsertPath(plain),
    body: form({ 'a.txt': 'words' }),
    status: 400,
    expect: { code: 'json_expected' },
    contains: ['application/json'],
  },
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/octet-stream'].map(
    (type): Scenario => ({
      name: `${type} is no form at all [upsert:form-by-loader, upsert:errors]`,
      path: upsertPath(plain),
      headers: { 'content-type': type },
      body: 'overrideConfig=1',
      status: 415,
      expect: { code: 'content_type_not_accepted' },
      contains: ['multipart/form-data', 'application/json', type],
    }),
  ),
  {
    name: 'a type that the flow does not read is named with the file and what is accepted [upsert:type-match]',
    path: upsertPath(pdfOnly),
    body: form({ 'note.txt': 'words of mine' }),
    status: 415,
    expect: {
      code: 'file_type_not_accepted',
      file: 'note.txt',
      message: 'note.txt: no loader of this flow reads .txt; accepted: .pdf',
    },
    absent: ['words of mine'],
  },
  {
    name: 'a picture is of no type that is read [upsert:type-match]',
    path: upsertPath(everything),
    body: form({ 'a.png': files.png() }),
    status: 415,
    expect: { code: 'file_type_not_accepted', file: 'a.png' },
  },
  {
    name: 'a picture with the name and type of a PDF cannot be read [upsert:type-match]',
    path: upsertPath(everything),
    body: form({ 'a.pdf': files.png() }),
    status: 422,
    expect: { code: 'file_unreadable', file: 'a.pdf' },
    contains: ['a PNG picture'],
  },
  {
    name: 'a damaged PDF cannot be read [upsert:type-match]',
    path: upsertPath(everything),
    body: form({ 'a.pdf': '%PDF-1.7\nwords of mine' }),
    status: 422,
    expect: { code: 'file_unreadable', file: 'a.pdf' },
    absent: ['words of mine'],
  },
  {
    name: 'a Word document under a password is named [upsert:type-match]',
    path: upsertPath(everything),
    body: form({ 'a.docx': files.passwordProtected() }),
    status: 422,
    expect: { code: 'file_encrypted', file: 'a.docx' },
  },
  {
    name: 'a PDF under a password is named [upsert:type-match]',
    path: upsertPath(everything),
    body: form({ 'a.pdf': files.encryptedPdf() }),
    status: 422,
    expect: { code: 'file_encrypted', file: 'a.pdf' },
  },
  {
    name: 'JSON that does not parse cannot be read, and is not repeated',
    path: upsertPath(everything),
    body: form({ 'a.json': '{"secret": words of mine' }),
    status: 422,
    expect: { code: 'file_unreadable', file: 'a.json' },
    absent: ['words of mine', 'secret'],
  },
  {
    name: 'all bad has the status of the first file, whichever is found out first [upsert:errors]',
    path: upsertPath(everything),
    body: form({ 'slow.pdf': '%PDF-1.7\nnone', 'quick.png': files.png() }),
    status: 422,
    expect: { code: 'file_unreadable', file: 'slow.pdf' },
  },
  {
    name: 'the same name twice is refused [upsert:errors]',
    path: upsertPath(everything),
    body: two,
    status: 400,
    expect: { code: 'file_duplicate', file: 'a.txt' },
  },
  ...['../a.txt', 'a/../../b.txt', '..', 'a\\..\\b.txt'].map(
    (name): Scenario => ({
      name: `${name} is no name for a file [upsert:errors]`,
      path: upsertPath(everything),
      body: form({ [name]: 'words' }),
      status: 400,
      expect: { code: 'file_name_invalid' },
    }),
  ),
  {
    name: 'a name without end is no name for a file',
    path: upsertPath(everything),
    body: form({ [`${'a'.repeat(2000)}.txt`]: 'words' }),
    status: 400,
    expect: { code: 'file_name_invalid' },
  },
  {
    name: 'a file in a part of another name is refused [upsert:multipart]',
    path: upsertPath(everything),
    body: misnamed,
    status: 400,
    expect: { code: 'field_unexpected' },
    contains: ['file'],
  },
  ...['[1]', 'not json', '"text"', '1'].map(
    (overrideConfig): Scenario => ({
      name: `overrideConfig ${overrideConfig} is no object [upsert:errors]`,
      path: upsertPath(quick),
      body: form({ 'a.txt': 'words' }, { overrideConfig }),
      status: 400,
      expect: { code: 'body_invalid' },
    }),
  ),
  ...Object.entries({
    chunkSize: ['ten', '0', '-1', '1.5', '', 'Infinity'],
    chunkOverlap: ['1000', '-1', 'true'],
    metadata: ['text', '[1]', '{broken'],
    addMetadata: ['text', '[1]'],
    returnSourceDocuments: ['yes'],
    strict: ['perhaps'],
    dryRun: ['1'],
  }).flatMap(([key, values]) =>
    values.map(
      (value): Scenario => ({
        name: `${key}=${value} is not valid and is named [upsert:errors]`,
        path: upsertPath(quick),
        body: form({ 'a.txt': 'words' }, { [key]: value }),
        status: 400,
        expect: { code: 'override_invalid' },
        contains: [key],
      }),
    ),
  ),
  {
    name: 'an unknown flow is not found [upsert:errors]',
    path: upsertPath('00000000-0000-4000-8000-000000000000'),
    body: form({ 'a.txt': 'words' }),
    status: 404,
    expect: { code: 'flow_not_found' },
    contains: ['not found'],
  },
  {
    name: 'a flow without a vector store cannot upsert [upsert:errors]',
    path: upsertPath(noStore),
    body: form({ 'a.txt': 'words' }),
    status: 422,
    expect: { code: 'flow_cannot_upsert' },
    contains: ['No vector node found'],
  },
  {
    name: 'a flow without a loader cannot upsert [upsert:errors]',
    path: upsertPath(noLoader),
    body: {},
    status: 422,
    expect: { code: 'flow_cannot_upsert' },
  },
  {
    name: 'a stopNodeId that is no store is refused [upsert:errors]',
    path: upsertPath(everything),
    body: form({ 'a.txt': 'words' }, { stopNodeId: 'fileLoader_0' }),
    status: 422,
    expect: { code: 'flow_cannot_upsert' },
    contains: ['stopNodeId'],
  },
]
testScenarios(
  platform,
  REFUSED.map((scenario) => ({ method: 'POST', ...scenario })),
)

/** Uploads are kept for jobs that failed and may be tried again, and for nothing else. */
async function assertNoUploadLost() {
  const { body } = await platform.manage<{ total: number }>('GET', '/api/v1/jobs?state=failed&limit=1')
  assert.ok(platform.uploads().length <= body.total)
}

test('refused requests left no chunks, and files only for a retry', async () => {
  for (const flow of [shut, everything, pdfOnly, noLoader]) assert.deepEqual(await sourcesOf(flow), [])
  await assertNoUploadLost()
})

testScenarios(
  platform,
  [
    { what: 'overrideConfig', body: { overrideConfig: { returnSourceDocuments: true } } },
    { what: 'overrideConfig null', body: { overrideConfig: null } },
    { what: 'no overrideConfig', body: {} },
    { what: 'fields that mean nothing here', body: { question: 'x', chatId: null, stopNodeId: null } },
    { what: 'no body', body: undefined },
    { what: 'a body of no length', body: '', headers: { 'content-type': 'application/json' } },
    { what: 'a charset', body: '{}', headers: { 'content-type': 'application/json; charset=utf-8' } },
  ].map(({ what, body, headers }) => ({
    name: `a flow that loads by itself takes JSON with ${what} [upsert:json, upsert:form-by-loader]`,
    method: 'POST',
    path: upsertPath(plain),
    ...(body === undefined ? {} : { body }),
    ...(headers ? { headers } : {}),
    status: 200,
    expect: { numFailed: 0, files: [{ name: 'plainText_0' }], warnings: [] },
  })),
)

test('plainText has its node as source: a changed text replaces the old one [upsert:source-id, upsert:json]', async () => {
  const { body } = await platform.manage('POST', upsertPath(plain), {
    overrideConfig: { text: 'Badgers dig.' },
  })
  assert.partialDeepStrictEqual(body, { numAdded: 1, numDeleted: 1 })
  assert.deepEqual(await sourcesOf(plain), ['plainText_0 1'])
})

test('one bad file among good ones fails alone, by name and reason [upsert:errors]', async () => {
  const flow = await platform.flow({})
  const { status, body } = await platform.upload(flow, {
    'good.txt': 'Otters swim.',
    'locked.docx': files.passwordProtected(),
    'empty.txt': '',
    'scan.pdf': files.scan(),
    'picture.png': files.png(),
  })
  assert.equal(status, 200)
  assert.equal(body.numFailed, 2)
  assert.deepEqual(
    body.files.map(({ name, status, code }) => ({ name, status, ...(code ? { code } : {}) })),
    [
      { name: 'good.txt', status: 'indexed' },
      { name: 'locked.docx', status: 'failed', code: 'file_encrypted' },
      { name: 'empty.txt', status: 'empty' },
      { name: 'scan.pdf', status: 'empty' },
      { name: 'picture.png', status: 'failed', code: 'file_type_not_accepted' },
    ],
  )
  assert.match(body.files[1]!.message!, /^locked\.docx is protected by a password; only PDFs can be opened/)
  assert.deepEqual(body.warnings.map(({ key }) => key).sort(), ['empty.txt', 'scan.pdf'])
  assert.deepEqual(await sourcesOf(flow), ['good.txt 1'])
})

test('nothing but an empty file is no failure', async () => {
  const { status, body } = await platform.upload(everything, { 'empty.pdf': '' })
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    ...counters,
    numFailed: 0,
    files: [{ status: 'empty' }],
    warnings: [{ key: 'empty.pdf', reason: 'the file is empty' }],
  })
})

test('strict fails with the first failure and writes nothing; it is no override [upsert:errors]', async () => {
  const flow = await platform.flow({})
  const both = { 'good.txt': 'Otters swim.', 'bad.docx': files.passwordProtected() }
  for (const fields of [{ strict: 'true' }, { overrideConfig: '{"strict": true}' }]) {
    const answer = await platform.upload(flow, both, fields)
    assert.equal(answer.status, 422)
    assert.partialDeepStrictEqual(answer.body as unknown, { code: 'file_encrypted', file: 'bad.docx' })
    assert.deepEqual(await sourcesOf(flow), [])
  }
})

test('dryRun counts, shows and writes nothing', async () => {
  const flow = await platform.flow({ recordManager: { cleanup: 'incremental' } })
  const { body } = await platform.upload(flow, { 'a.txt': 'Otters swim.' }, { dryRun: 'true' })
  assert.partialDeepStrictEqual(body, {
    dryRun: true,
    numAdded: 1,
    totalKeys: 1,
    addedDocs: [{ pageContent: 'Otters swim.' }],
  })
  assert.ok(!('jobId' in body))
  assert.deepEqual(await sourcesOf(flow), [])
  assert.partialDeepStrictEqual((await platform.upload(flow, { 'a.txt': 'Otters swim.' })).body, {
    numAdded: 1,
  })
})

test('names keep their folders and their signs [upsert:source-id]', async () => {
  const flow = await platform.flow({})
  const names = [
    'src/a/ü.md',
    '日本語.txt',
    'with space.txt',
    "quote'd.txt",
    'per%20cent.txt',
    'no-ending',
    'emoji 🦦.txt',
  ]
  await platform.upload(flow, Object.fromEntries(names.map((name) => [name, `Words of ${name}.`])))
  const listed = await sourcesOf(flow)
  assert.deepEqual(listed.toSorted(), names.map((name) => `${name} 1`).toSorted())
})

for (const [encoding, bytes] of [
  ['UTF-8 with its mark', new Uint8Array(Buffer.from('\ufeffGrüße, 世界', 'utf8'))],
  ['UTF-16', new Uint8Array(Buffer.from('\ufeffGrüße, 世界', 'utf16le'))],
] as const)
  test(`text of ${encoding} is text without the mark`, async () => {
    const { body } = await platform.upload(quick, { 'a.txt': bytes }, sourceDocuments)
    assert.equal(body.sourceDocuments![0]!.pageContent, 'Grüße, 世界')
  })

test('one file cannot delete another through its metadata [upsert:source-id]', async () => {
  const flow = await platform.flow({
    loaders: { fileLoader: { omitMetadataKeys: 'source' } },
    overridable: ALL,
    recordManager: { cleanup: 'incremental' },
  })
  await platform.upload(flow, { 'a.txt': 'Otters swim.' })
  const { body } = await platform.upload(
    flow,
    { 'b.txt': 'Badgers dig.' },
    { metadata: '{"source": "a.txt"}' },
  )
  assert.partialDeepStrictEqual(body, { numAdded: 1, numDeleted: 0 })
  assert.deepEqual(await sourcesOf(flow), ['a.txt 1', 'b.txt 1'])
})

test('an upload of 60 MB is none of the limit on JSON [upsert:multipart]', async () => {
  const answer = await platform.upload(everything, { 'big.png': new Uint8Array(60 * 2 ** 20) })
  assert.equal(answer.status, 415, answer.text)
})

test('only uploads of failed jobs are left, and the log has no internal error', async () => {
  await assertNoUploadLost()
  assert.deepEqual(
    platform.log.filter(({ level }) => level === 'error'),
    [],
  )
})
