import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { encodedFile, readStudioFiles } from './studio-files.ts'

function folder(t: TestContext, files: Record<string, string | Buffer>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'sluice-studio-'))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(path.join(root, 'assets'))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text)
  return root
}

test('readStudioFiles() gives nothing for a folder without a built studio', (t) => {
  assert.equal(readStudioFiles(path.join(tmpdir(), 'sluice-no-such-folder')), undefined)
  assert.equal(readStudioFiles(folder(t, { 'assets/index-1.js': 'a()' })), undefined)
})

test('readStudioFiles() reads the page and each asset with its compressed forms, and nothing else', (t) => {
  const files = readStudioFiles(
    folder(t, {
      'index.html': '<!doctype html>',
      'chatbot.html': '<!doctype html>',
      'built-from.txt': '1',
      'assets/index-1.js': 'a()',
      'assets/index-1.js.br': 'brotli',
      'assets/index-1.js.gz': 'gzip',
      'assets/index-2.css': 'p {}',
    }),
  )!
  assert.equal(files.page.type, 'text/html; charset=utf-8')
  assert.deepEqual([...files.assets.keys()].sort(), ['index-1.js', 'index-2.css'])
  const script = files.assets.get('index-1.js')!
  assert.equal(script.type, 'text/javascript; charset=utf-8')
  assert.deepEqual([script.bytes, script.brotli, script.gzip].map(String), ['a()', 'brotli', 'gzip'])
  assert.match(script.etag, /^"[0-9a-f]{32}"$/)
})

test('readStudioFiles() reads assets that are stored compressed only, and encodedFile() unpacks them', (t) => {
  const script = gzipSync('import "./pdf"')
  const files = readStudioFiles(
    folder(t, {
      'index.html': 'x',
      'chatbot.html': 'y',
      'assets/pdf-1.mjs.br': 'brotli',
      'assets/pdf-1.mjs.gz': script,
    }),
  )!
  assert.deepEqual([...files.assets.keys()], ['pdf-1.mjs'])
  const file = files.assets.get('pdf-1.mjs')!
  assert.equal(file.type, 'text/javascript; charset=utf-8')
  assert.equal(String(encodedFile(file, 'br').body), 'brotli')
  assert.deepEqual(encodedFile(file, 'gzip'), { body: script, encoding: 'gzip' })
  assert.deepEqual(encodedFile(file, undefined), { body: Buffer.from('import "./pdf"') })
})

const both = {
  type: 'text/css',
  etag: '"1"',
  bytes: Buffer.from('p'),
  brotli: Buffer.from('b'),
  gzip: Buffer.from('g'),
}
const plain = { type: 'text/css', etag: '"1"', bytes: Buffer.from('p') }

for (const [accept, file, encoding] of [
  ['gzip, deflate, br', both, 'br'],
  ['gzip;q=0.8, BR;q=1', both, 'br'],
  ['gzip', both, 'gzip'],
  ['br;q=0, gzip', both, 'gzip'],
  ['br; q=0.0, gzip;q=0', both, undefined],
  ['identity', both, undefined],
  [undefined, both, undefined],
  ['br, gzip', plain, undefined],
] as const)
  test(`encodedFile() answers ${accept ?? 'no Accept-Encoding'} with ${encoding ?? 'the plain bytes'}${file === plain ? ' where there are no others' : ''}`, () => {
    const found = encodedFile(file, accept)
    assert.equal(found.encoding, encoding)
    assert.equal(String(found.body), { br: 'b', gzip: 'g', plain: 'p' }[encoding ?? 'plain'])
  })
