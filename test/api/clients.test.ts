import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePlatform } from '../support/platform.ts'
import { post, sendRaw } from '../support/raw-http.ts'
import type { UpsertResult } from '../../src/upsert/outcome.ts'

/** The same upload as different clients write it on the wire. */

const platform = await makePlatform()
const CONTENT = '{"animal": "otter"}\n{"animal": "badger"}\n'

type Part = { headers: string[]; content?: string }
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
    const body = `${parts
      .map(({ headers, content }) => `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n${content}\r\n`)
      .join('')}--${boundary}--\r\n`
    const contentType = type ?? `multipart/form-data; boundary=${boundary}`
    const answer = await sendRaw<UpsertResult>(
      platform.url,
      post(`/api/v1/vector/upsert/${flow}`, { 'Content-Type': contentType }, body),
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
    const head = `POST /api/v1/vector/upsert/${flow} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=abc\r\n\r\n`
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
