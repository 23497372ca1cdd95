import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { DocumentStoreAnswer } from '../../src/api/document-store.ts'
import type { StoreChunkPage } from '../../src/api/document-store-chunk.ts'
import { ADMIN_KEY, makePlatform } from '../support/platform.ts'
import { paragraphLines, writePdf } from '../support/pdf-writer.ts'

const run = promisify(execFile)
const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import requests'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
const skip = hasPython ? false : 'python3 with requests is missing'

const platform = await makePlatform({}, { servers: 1 })
const folder = mkdtempSync(path.join(tmpdir(), 'sluice-samples-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(
  path.join(folder, 'my-another-file.pdf'),
  writePdf([{ lines: paragraphLines(['Otters swim in rivers.']) }]),
)

const { body: store } = await platform.manage<DocumentStoreAnswer>('POST', '/api/v1/document-store/store', {
  name: 'Samples',
})
const { body: loader } = await platform.manage<{ id: string }>('POST', '/api/v1/document-store/loader/save', {
  storeId: store.id,
  loaderId: 'pdfFile',
})

/** The sample with its address, its ids and its key; the samples name their key BEARER_TOKEN without setting it. */
const sample = (text: string) =>
  `BEARER_TOKEN = "${ADMIN_KEY}"\n${text}`
    .replaceAll('http://localhost:3000', platform.url)
    .replaceAll('your_doc_store_id', store.id)
    .replaceAll('your_doc_loader_id', loader.id)
    .replaceAll('<docId>', `"${loader.id}"`)
    .replaceAll('<storeId>', store.id)

const python = async (text: string) => (await run('python3', ['-c', sample(text)], { cwd: folder })).stdout

const UPSERT = (body: string) => `import requests
import json

DOC_STORE_ID = "your_doc_store_id"
DOC_LOADER_ID = "your_doc_loader_id"
API_URL = f"http://localhost:3000/api/v1/document-store/upsert/{DOC_STORE_ID}"
API_KEY = "your_api_key_here"

form_data = {
    "files": ('my-another-file.pdf', open('my-another-file.pdf', 'rb'))
}

body_data = ${body}

headers = {
    "Authorization": f"Bearer {BEARER_TOKEN}"
}

def query(form_data):
    response = requests.post(API_URL, files=form_data, data=body_data, headers=headers)
    print(response)
    return response.json()

output = query(form_data)
print(output)
`
const count = async () =>
  (await platform.manage<StoreChunkPage>('GET', `/api/v1/document-store/chunks/${store.id}/all/1`)).body.count

test('samples of Flowise in Python load into a document store [docstores:samples]', { skip }, async () => {
  for (const body of [
    '{\n    "docId": DOC_LOADER_ID\n}',
    '{\n    "docId": DOC_LOADER_ID,\n    "replaceExisting": True\n}',
    '{\n    "docId": DOC_LOADER_ID,\n    "loader": json.dumps({"config": {"usage": "perPage"}})\n}',
    '{\n    "docId": DOC_LOADER_ID,\n    "createNewDocStore": True,\n    "docStore": json.dumps({"name":"My NEW Doc Store"})\n}',
  ]) {
    const out = await python(UPSERT(body))
    assert.match(out, /<Response \[200\]>/, `${body}\n${out}`)
    assert.match(out, /'docId': /)
    assert.equal(await count(), 1)
  }
})

test('samples of Flowise in Python refresh a document store [docstores:samples]', { skip }, async () => {
  const all = await python(`import requests

API_URL = "http://localhost:3000/api/v1/document-store/refresh/<storeId>"

def query():
    response = requests.post(API_URL)
    return response.json()

output = query()
print(output)
`)
  assert.match(all, /^\[\{/)
  const one = await python(`import requests

API_URL = "http://localhost:3000/api/v1/document-store/refresh/<storeId>"

def query(payload):
    response = requests.post(API_URL, json=payload)
    return response.json()

output = query(
{
    "items": [
        {
            "docId": <docId>,
            "splitter": {
                "name": "recursiveCharacterTextSplitter",
                "config": {
                    "chunkSize": 2000,
                    "chunkOverlap": 100
                }
            }
        }
    ]
}
)
print(output)
`)
  assert.match(one, /^\[\{'numAdded'/)
  assert.equal(await count(), 1)
})

test('the same requests with cURL [docstores:samples]', async () => {
  const url = `${platform.url}/api/v1/document-store/upsert/${store.id}`
  const form = ['-F', 'files=@my-another-file.pdf', '-F', `docId=${loader.id}`, '-F', 'replaceExisting=true']
  const sent = await run('curl', ['-s', '-H', `Authorization: Bearer ${ADMIN_KEY}`, ...form, url], {
    cwd: folder,
  })
  assert.equal(JSON.parse(sent.stdout).docId, loader.id, sent.stdout)
  const json = ['-H', 'Content-Type: application/json', '-d', JSON.stringify({ docId: loader.id })]
  const again = await run('curl', ['-s', '-X', 'POST', ...json, url])
  assert.equal(JSON.parse(again.stdout).docId, loader.id, again.stdout)
  assert.equal(await count(), 1)
})
