import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import NodeFormData from 'form-data'
import { makePlatform } from '../support/platform.ts'
import { post, sendRaw } from '../support/raw-http.ts'
import * as made from '../support/small-files.ts'
import type { UpsertResult } from '../../src/upsert/outcome.ts'

/** The same upload as different clients write it on the wire. */

const platform = await makePlatform()
const CONTENT = '{"animal": "otter"}\n{"animal": "badger"}\n'

type Part = { headers: string[]; content?: string | Uint8Array }

const multipart = (boundary: string, parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ headers, content = '' }) => [
      Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

const file = (disposition: string, ...more: string[]): Part => ({
  headers: [`Content-Disposition: ${disposition}`, ...more],
  content: CONTENT,
})

for (const { client, boundary, parts, name = 'animals.jsonl', type } of [
  {
    client: 'curl, which does not know the type',
    boundary: '------------------------d74496d66958873e',
    parts: [
      file('form-data; name="files"; filename="animals.jsonl"', 'Content-Type: application/octet-stream'),
      { headers: ['Content-Disposition: form-data; name="chunkSize"'], content: '500' },
    ],
  },
  {
    client: 'requests of Python, which gives parts no type',
    boundary: '0f2c1a6e5b5c4f0e8d3d2c1b0a998877',
    parts: [
      { headers: ['Content-Disposition: form-data; name="overrideConfig"'], content: '{"chunkSize": 500}' },
      file('form-data; name="files"; filename="animals.jsonl"'),
    ],
  },
  {
    client: 'a browser, which takes the type from its system',
    boundary: '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    parts: [
      file('form-data; name="files"; filename="animals.jsonl"', 'Content-Type: application/vnd.ms-excel'),
    ],
  },
  {
    client: 'undici, with signs of UTF-8',
    boundary: '----formdata-undici-012345678901',
    parts: [
      file('form-data; name="files"; filename="src/ü 日本.jsonl"', 'Content-Type: application/octet-stream'),
    ],
    name: 'src/ü 日本.jsonl',
  },
  {
    client: 'requests with a name as RFC 5987 has it',
    boundary: 'abc',
    parts: [file('form-data; name="files"; filename*=UTF-8\'\'%C3%BC%20one.jsonl')],
    name: 'ü one.jsonl',
  },
  {
    client: 'a client that writes the name in both ways',
    boundary: 'abc',
    parts: [file("form-data; name=files; filename=animals.jsonl; filename*=UTF-8''%C3%BC.jsonl")],
    name: 'ü.jsonl',
  },
  {
    client: 'a client that quotes nothing',
    boundary: 'abc',
    parts: [file('form-data; name=files; filename=animals.jsonl')],
  },
  {
    client: 'a client with the name of the file first, and small letters',
    boundary: 'abc',
    parts: [
      { ...file(''), headers: ['content-disposition: form-data; filename="animals.jsonl"; name="files"'] },
    ],
  },
  {
    client: 'a client that escapes quotes',
    boundary: 'abc',
    parts: [file('form-data; name="files"; filename="an \\"otter\\".jsonl"')],
    name: 'an "otter".jsonl',
  },
  {
    client: 'a client on Windows, which sends the whole path',
    boundary: 'abc',
    parts: [file('form-data; name="files"; filename="C:\\data\\animals.jsonl"')],
    name: 'C:\\data\\animals.jsonl',
  },
  {
    client: 'a client that quotes the boundary',
    boundary: 'a b:c',
    type: 'multipart/form-data; boundary="a b:c"',
    parts: [file('form-data; name="files"; filename="animals.jsonl"')],
  },
  {
    client: 'a client that writes the type in capitals and a charset',
    boundary: 'abc',
    type: 'Multipart/Form-Data; charset=utf-8; boundary=abc',
    parts: [file('form-data; name="files"; filename="animals.jsonl"')],
  },
  {
    client: 'a client with further headers in the part',
    boundary: 'abc',
    parts: [
      file(
        'form-data; name="files"; filename="animals.jsonl"',
        'Content-Length: 42',
        'Content-Transfer-Encoding: binary',
        'Content-Type: text/plain; charset=us-ascii',
      ),
    ],
  },
] as { client: string; boundary: string; parts: Part[]; name?: string; type?: string }[])
  test(`an upload of ${client} arrives whole under its name [upsert:multipart, upsert:type-match]`, async () => {
    const flow = await platform.flow({ loaders: { jsonlinesFile: {} }, overridable: ['files', 'chunkSize'] })
    const contentType = type ?? `multipart/form-data; boundary=${boundary}`
    const answer = await sendRaw<UpsertResult>(
      platform.url,
      post(`/api/v1/vector/upsert/${flow}`, { 'Content-Type': contentType }, multipart(boundary, parts)),
    )
    assert.equal(answer.status, 200, answer.text)
    assert.partialDeepStrictEqual(answer.body, {
      numAdded: 2,
      files: [{ name, status: 'indexed' }],
      warnings: [],
      addedDocs: [{ metadata: { source: name } }],
    })
  })

for (const [how, cut] of [
  ['byte by byte', 1],
  ['in chunks of seven bytes', 7],
] as const)
  test(`a chunked upload arrives whole ${how}, without a declared length [upsert:multipart]`, async () => {
    const flow = await platform.flow({})
    const head = `POST /api/v1/vector/upsert/${flow} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=abc\r\n\r\n`
    const body = Buffer.from(
      '--abc\r\nContent-Disposition: form-data; name="files"; filename="ü.txt"\r\n\r\nGrüße\n--ab\r\n--abc--\r\n',
    )
    const chunks: Buffer[] = []
    for (let at = 0; at < body.length; at += cut) {
      const chunk = body.subarray(at, at + cut)
      chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
    }
    const answer = await sendRaw(platform.url, head, ...chunks, '0\r\n\r\n')
    assert.partialDeepStrictEqual(answer.body, { addedDocs: [{ pageContent: 'Grüße\n--ab' }] }, answer.text)
  })

/** A file on disk, and its correct type. */
type Sample = { name: string; at: string; type: string }

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** The content of a small file of each type that is to be uploaded. */
const SAMPLES: { ending: string; type: string; content: (words: string) => string | Uint8Array }[] = [
  { ending: 'csv', type: 'text/csv', content: (words) => `client,animal\n${words},otter\n` },
  { ending: 'docx', type: `${OFFICE}.wordprocessingml.document`, content: made.docx },
  {
    ending: 'json',
    type: 'application/json',
    content: (words) => JSON.stringify({ animal: 'otter', words }),
  },
  { ending: 'jsonl', type: 'application/jsonl', content: (words) => `${JSON.stringify({ words })}\n` },
  { ending: 'pdf', type: 'application/pdf', content: made.pdf },
  { ending: 'txt', type: 'text/plain', content: (words) => words },
  { ending: 'xlsx', type: `${OFFICE}.spreadsheetml.sheet`, content: made.xlsx },
  { ending: 'pptx', type: `${OFFICE}.presentationml.presentation`, content: made.pptx },
]

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-clients-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const PATH = '/api/v1/vector/upsert/quickstart'
const hasCurl = spawnSync('curl', ['--version']).status === 0

/** What curl runs, or where there is none the bytes that it sends. */
const curl = async (option: string, file: Sample, type: string): Promise<string> => {
  if (hasCurl) return (await promisify(execFile)('curl', ['-s', '-F', option, platform.url + PATH])).stdout
  return sendPart(file, '------------------------d74496d66958873e', [`Content-Type: ${type}`])
}

const sendPart = async ({ name, at }: Sample, boundary: string, headers: string[] = []): Promise<string> => {
  const disposition = `Content-Disposition: form-data; name="files"; filename="${name}"`
  const body = multipart(boundary, [{ headers: [disposition, ...headers], content: readFileSync(at) }])
  const fields = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
  return (await sendRaw(platform.url, post(PATH, fields, body))).text
}

/** The types that curl finds by their endings; it declares all others as bytes. */
const CURL_TYPES: Record<string, string> = { '.pdf': 'application/pdf', '.txt': 'text/plain' }

for (const { client, upload } of [
  {
    client: 'curl -F',
    upload: (file) =>
      curl(`files=@${file.at}`, file, CURL_TYPES[path.extname(file.name)] ?? 'application/octet-stream'),
  },
  {
    client: 'curl -F with a type',
    upload: (file) => curl(`files=@${file.at};type=${file.type}`, file, file.type),
  },
  {
    client: 'requests of Python',
    upload: (file) => sendPart(file, '1c91e4ee6c4a2d8b9f3f4cbd0be4a7a5'),
  },
  {
    client: 'FormData of a browser',
    upload: async ({ name, at, type }) => {
      const data = new FormData()
      data.append('files', new File([readFileSync(at)], name, { type }))
      return (await fetch(platform.url + PATH, { method: 'POST', body: data })).text()
    },
  },
  {
    client: 'form-data of Node',
    upload: ({ at }) =>
      new Promise((resolve, reject) => {
        const data = new NodeFormData()
        data.append('files', createReadStream(at))
        data.submit(platform.url + PATH, (error, answer) => (error ? reject(error) : resolve(text(answer))))
      }),
  },
] as { client: string; upload: (file: Sample) => Promise<string> }[])
  test(`${client} uploads each of the types to the quickstart [upsert:types, upsert:multipart, upsert:type-match]`, async () => {
    for (const { ending, type, content } of SAMPLES) {
      const name = `${client}.${ending}`
      const at = path.join(folder, name)
      writeFileSync(at, content(`The otter swims by ${client}`))
      const answer = await upload({ name, at, type })
      const { files = [] } = JSON.parse(answer) as Partial<UpsertResult>
      assert.partialDeepStrictEqual(files, [{ name, status: 'indexed' }], answer)
      assert.ok(files[0]!.chunks > 0, answer)
    }
  })
