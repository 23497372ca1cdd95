import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { blobDirectory } from '../../src/blobs/directory.ts'
import { needs } from '../support/needs.ts'
import { testShelf } from '../support/s3-shelf.ts'
import { blobShelfSuite, listed, sourceOf } from './blob-shelf.ts'

blobShelfSuite(
  'a directory',
  async (t) => {
    const home = mkdtempSync(path.join(tmpdir(), 'sluice-blobs-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    // It is made with the first file.
    return blobDirectory(path.join(home, 'shelf'))
  },
  300_000,
)

test('blobDirectory() lists no files of others, and clears only what an interrupted put left', async (t) => {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-blobs-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const shelf = blobDirectory(home)
  await shelf.put('originals/a', sourceOf('words'))
  for (const name of ['.DS_Store', 'a file.txt', '.a.b8f1.partial'])
    writeFileSync(path.join(home, 'originals', name), '')
  assert.deepEqual(
    (await listed(shelf)).map(({ name }) => name),
    ['originals/a'],
  )
  await shelf.sweep(Date.now() - 3_600_000)
  assert.equal(readdirSync(path.join(home, 'originals')).length, 4)
  await shelf.sweep(Date.now() + 3_600_000)
  assert.deepEqual(readdirSync(path.join(home, 'originals')).sort(), ['.DS_Store', 'a', 'a file.txt'])
})

const LARGE = 11 * 2 ** 20 + 1

// The suites above run without a server.
await needs('the S3 server of the tests')

blobShelfSuite('a bucket, path style', (t) => testShelf(t, { partBytes: 5 * 2 ** 20, pageSize: 3 }), LARGE)

blobShelfSuite(
  'a folder of a bucket whose name needs escapes, virtual-host style',
  (t) =>
    testShelf(t, {
      prefix: "Dateien für (alle)+1*'!~ & 100% 漢字/b c/",
      style: 'virtual',
      partBytes: 5 * 2 ** 20,
      pageSize: 3,
    }),
  LARGE,
)
