import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { blobDirectory } from '../../src/blobs/directory.ts'
import type { BlobShelf } from '../../src/contract/blob-shelf.ts'
import { shelveFiles } from '../../src/server/uploads.ts'
import { blobUploadShelf } from '../../src/jobs/shelves/blob-upload-shelf.ts'
import { directoryShelf } from '../../src/jobs/shelves/upload-shelf.ts'
import { testShelf } from '../support/s3-shelf.ts'
import { cannotMount, smallDisk } from '../support/small-disk.ts'
import { uploadShelfSuite } from './upload-shelf.ts'

function temporary(t: TestContext): string {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-shelf-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

const HOUR = 3_600_000

/** A server's upload directory before a shelf that others use, too. Its clock is two hours ahead. */
function serverAt(spool: string, blobs: BlobShelf) {
  const shelf = blobUploadShelf(blobs, spool, { clock: () => Date.now() + 2 * HOUR })
  const store = async (files: Parameters<typeof shelveFiles>[1]) => {
    const stored = await shelveFiles(spool, files)
    await shelf.keep(stored.folder, stored.files)
    return stored
  }
  return { shelf, store }
}

uploadShelfSuite('a directory', (t) => {
  // It is made with the first upload.
  const directory = path.join(temporary(t), 'uploads')
  return { shelf: directoryShelf(directory), store: (files) => shelveFiles(directory, files) }
})

uploadShelfSuite('a bucket, by the server that received the files', async (t) =>
  serverAt(path.join(temporary(t), 'uploads'), await testShelf(t)),
)

uploadShelfSuite('a bucket, by another server', async (t) => {
  const blobs = await testShelf(t)
  const { store } = serverAt(path.join(temporary(t), 'uploads'), blobs)
  return { shelf: serverAt(path.join(temporary(t), 'uploads'), blobs).shelf, store }
})

const FILES = [
  { name: 'a b/ünïcödé.txt', bytes: Buffer.from('words') },
  { name: 'two', bytes: Buffer.from('more words') },
]

test('blobUploadShelf() offers only folders whose last file is older than an hour', async (t) => {
  const blobs = blobDirectory(temporary(t))
  const spool = path.join(temporary(t), 'uploads')
  const { store } = serverAt(spool, blobs)
  const { folder } = await store(FILES)
  assert.deepEqual(
    await blobUploadShelf(blobs, spool, { clock: () => Date.now() + 0.9 * HOUR }).folders(),
    [],
  )
  assert.deepEqual(await blobUploadShelf(blobs, spool, { clock: () => Date.now() + 1.1 * HOUR }).folders(), [
    folder,
  ])
})

test('blobUploadShelf() gives no file whose bytes were changed or lost, and leaves no part of it', async (t) => {
  const blobs = blobDirectory(temporary(t))
  const { store } = serverAt(path.join(temporary(t), 'uploads'), blobs)
  const { folder, files } = await store(FILES)
  const spool = path.join(temporary(t), 'uploads')
  const { shelf } = serverAt(spool, blobs)
  const [first, second] = files.map(({ path: _, ...file }) => file)
  const changed = { ...first!, sha256: second!.sha256 }
  await assert.rejects(shelf.fetch(folder, [changed]), { code: 'blob_damaged' })
  assert.deepEqual(readdirSync(path.join(spool, folder)), [])
  await blobs.remove([`uploads/${folder}/1`])
  await assert.rejects(shelf.fetch(folder, [first!, second!]), {
    code: 'blob_missing',
    message: 'The storage of files does not have two any more',
  })
  const [again] = await shelf.fetch(folder, [first!])
  assert.equal(readFileSync(again!.path, 'utf8'), 'words')
  await shelf.remove(folder)
  assert.equal(existsSync(path.join(spool, folder)), false)
})

test('blobUploadShelf() leaves no part of a file that the disk has no room for', {
  skip: cannotMount(),
}, async (t) => {
  const blobs = blobDirectory(temporary(t))
  const { store } = serverAt(path.join(temporary(t), 'uploads'), blobs)
  const { folder, files } = await store([{ name: 'large', bytes: Buffer.alloc(3 * 2 ** 20, 1) }, ...FILES])
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-disk-'))
  const disk = smallDisk(t, home, 4)
  t.after(() => rmSync(home, { recursive: true, force: true }))
  disk.fill(2 ** 20)
  const { shelf } = serverAt(path.join(disk.at, 'uploads'), blobs)
  const wanted = files.map(({ path: _, ...file }) => file)
  await assert.rejects(shelf.fetch(folder, wanted), { code: 'storage_full', status: 507 })
  assert.ok(!readdirSync(path.join(disk.at, 'uploads', folder)).some((name) => name.startsWith('0')))
  disk.clear()
  const fetched = await shelf.fetch(folder, wanted)
  assert.deepEqual(
    fetched.map(({ path: at }) => readFileSync(at).length),
    files.map(({ size }) => size),
  )
})
