import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import type { UploadedFile } from '../../src/contract/loader.ts'
import type { UploadShelf } from '../../src/contract/upload-shelf.ts'

/** A shelf, and the way uploads get there: `store` answers the name of the folder, and the files in it. */
export type ShelfUnderTest = {
  shelf: UploadShelf
  store(files: readonly { name: string; bytes: Buffer }[]): Promise<{ folder: string; files: UploadedFile[] }>
}

/** A file as a job stores it: without its path. */
const remembered = (files: readonly UploadedFile[]) => files.map(({ path: _, ...file }) => file)

const FILES = [
  { name: 'notes/one.txt', bytes: Buffer.from('one') },
  { name: 'ünïcode 漢字.bin', bytes: Buffer.from([0, 255, 128]) },
  { name: 'empty.txt', bytes: Buffer.alloc(0) },
  { name: 'again.txt', bytes: Buffer.from('one') },
]

/** What every shelf of uploads promises; run by each implementation. */
export function uploadShelfSuite(
  name: string,
  make: (t: TestContext) => ShelfUnderTest | Promise<ShelfUnderTest>,
): void {
  const promises = (promise: string, check: (made: ShelfUnderTest) => Promise<void>) =>
    test(`${name}: the UploadShelf ${promise}`, async (t) => check(await make(t)))

  promises('is empty before the first upload', async ({ shelf }) => {
    assert.deepEqual(await shelf.folders(), [])
    await shelf.remove('unknown')
    assert.deepEqual(await shelf.copies(), [])
  })

  promises('gives the files of a folder also after discardCopies()', async ({ shelf, store }) => {
    const { folder, files } = await store(FILES)
    await shelf.dropCopies(folder)
    const fetched = await shelf.fetch(folder, remembered(files))
    assert.deepEqual(await shelf.copies(), [folder])
    assert.deepEqual(
      fetched.map(({ path }) => readFileSync(path)),
      FILES.map(({ bytes }) => bytes),
    )
  })

  promises('gives the files of a folder back, byte for byte and in order', async ({ shelf, store }) => {
    const { folder, files } = await store(FILES)
    const fetched = await shelf.fetch(folder, remembered(files))
    assert.deepEqual(remembered(fetched), remembered(files))
    assert.deepEqual(
      fetched.map(({ path }) => readFileSync(path)),
      FILES.map(({ bytes }) => bytes),
    )
    assert.deepEqual(await shelf.fetch(folder, remembered(files)), fetched)
    assert.deepEqual(await shelf.fetch(folder, []), [])
  })

  promises('keeps folders apart, and lists them', async ({ shelf, store }) => {
    const [one, other] = [await store(FILES.slice(0, 1)), await store(FILES.slice(1, 2))]
    assert.notEqual(one.folder, other.folder)
    assert.deepEqual((await shelf.folders()).sort(), [one.folder, other.folder].sort())
    const [fetched] = await shelf.fetch(other.folder, remembered(other.files))
    assert.deepEqual(readFileSync(fetched!.path), FILES[1]!.bytes)
  })

  promises('discards one folder with its files, also a second time', async ({ shelf, store }) => {
    const [one, other] = [await store(FILES), await store(FILES.slice(0, 1))]
    const gone = await shelf.fetch(one.folder, remembered(one.files))
    await shelf.remove(one.folder)
    await shelf.remove(one.folder)
    assert.deepEqual(await shelf.folders(), [other.folder])
    for (const { path } of gone) assert.throws(() => readFileSync(path), { code: 'ENOENT' })
    const [left] = await shelf.fetch(other.folder, remembered(other.files))
    assert.deepEqual(readFileSync(left!.path), FILES[0]!.bytes)
  })
}
