import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import type { BlobEntry, BlobShelf, BlobSource } from '../../src/contract/blob-shelf.ts'

/** A source of bytes that are in memory. */
export function sourceOf(content: string | Buffer): BlobSource & { sha256: string } {
  const bytes = Buffer.from(content)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { size: bytes.length, sha256, open: () => Readable.from(pieces(bytes)) }
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007)
}

/** Bytes without a pattern that a shelf could repeat. */
export function manyBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count)
  for (let i = 0, x = 1; i < count; i++) {
    x = (Math.imul(x, 1103515245) + 12345) >>> 0
    bytes[i] = x >>> 24
  }
  return bytes
}

async function read(shelf: BlobShelf, name: string, wanted?: Parameters<BlobShelf['get']>[1]) {
  const found = await shelf.get(name, wanted)
  return found && (await buffer(found.content))
}

async function textOf(shelf: BlobShelf, name: string): Promise<string | undefined> {
  return (await read(shelf, name))?.toString()
}

export async function listed(shelf: BlobShelf, folder = ''): Promise<BlobEntry[]> {
  const entries: BlobEntry[] = []
  for await (const batch of shelf.list(folder)) entries.push(...batch)
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const namesOf = async (shelf: BlobShelf, folder = '') => (await listed(shelf, folder)).map(({ name }) => name)

/** What every shelf promises; run by each implementation. @param large a size in bytes that it does not send at once */
export function blobShelfSuite(
  name: string,
  make: (t: TestContext) => Promise<BlobShelf>,
  large: number,
): void {
  const promises = (promise: string, check: (shelf: BlobShelf) => Promise<void>) =>
    test(`${name}: the BlobShelf ${promise}`, async (t) => check(await make(t)))

  promises('is empty at first', async (shelf) => {
    assert.deepEqual(await namesOf(shelf), [])
    assert.equal(await shelf.get('uploads/a/0'), undefined)
    await shelf.remove(['uploads/a/0', 'other'])
    await shelf.sweep(Date.now())
  })

  promises('gives a file back, byte for byte, with its size', async (shelf) => {
    for (const bytes of [Buffer.alloc(0), Buffer.from([0, 255, 10]), manyBytes(large)]) {
      assert.equal(await shelf.put('a/file', sourceOf(bytes)), true)
      const found = await shelf.get('a/file')
      assert.equal(found!.size, bytes.length)
      assert.ok((await buffer(found!.content)).equals(bytes))
    }
  })

  promises('replaces a file, and keeps others apart', async (shelf) => {
    await shelf.put('a/0', sourceOf('one'))
    await shelf.put('a/1', sourceOf('other'))
    await shelf.put('a/0', sourceOf('two'))
    assert.deepEqual([await textOf(shelf, 'a/0'), await textOf(shelf, 'a/1')], ['two', 'other'])
  })

  promises('puts a file only where there is none, if that is asked for', async (shelf) => {
    assert.equal(await shelf.put('mark', sourceOf('first'), { ifAbsent: true }), true)
    assert.equal(await shelf.put('mark', sourceOf('second'), { ifAbsent: true }), false)
    assert.equal(await shelf.put('mark', sourceOf('first'), { ifAbsent: true }), false)
    assert.equal(await shelf.put('mark', sourceOf(manyBytes(large)), { ifAbsent: true }), false)
    assert.equal(await textOf(shelf, 'mark'), 'first')
    assert.equal(await shelf.put('large', sourceOf(manyBytes(large)), { ifAbsent: true }), true)
  })

  promises('lets one of many conditional puts win', async (shelf) => {
    const texts = Array.from({ length: 8 }, (_, i) => `text ${i}`)
    const won = await Promise.all(texts.map((text) => shelf.put('mark', sourceOf(text), { ifAbsent: true })))
    assert.equal(won.filter(Boolean).length, 1)
    assert.equal(await textOf(shelf, 'mark'), texts[won.indexOf(true)])
  })

  promises('gives ranges, also beyond the end', async (shelf) => {
    const bytes = manyBytes(large)
    await shelf.put('a', sourceOf(bytes))
    await shelf.put('empty', sourceOf(''))
    for (const [start, end] of [
      [0, 1],
      [5, 5],
      [100, 4321],
      [large - 3, large + 100],
      [large - 10, undefined],
      [0, large],
      [large, large + 1],
      [large + 7, undefined],
    ] as const) {
      const found = await shelf.get('a', { start, ...(end === undefined ? {} : { end }) })
      assert.equal(found!.size, large)
      assert.ok((await buffer(found!.content)).equals(bytes.subarray(start, end)), `${start}-${end}`)
    }
    assert.equal((await read(shelf, 'empty', { start: 0, end: 10 }))!.length, 0)
  })

  promises(
    'refuses a source whose bytes are not those that it names, and keeps what was there',
    async (shelf) => {
      await shelf.put('a', sourceOf('before'))
      const good = sourceOf(manyBytes(large))
      const less = sourceOf(manyBytes(large - 1))
      const other = Buffer.from(manyBytes(large))
      other[large - 1]! ^= 1
      for (const source of [
        { ...good, open: less.open },
        { ...less, open: good.open },
        { ...good, open: sourceOf(other).open },
      ]) {
        await assert.rejects(shelf.put('a', source), { code: 'blob_damaged' })
        await assert.rejects(shelf.put('b', source), { code: 'blob_damaged' })
      }
      assert.equal(await textOf(shelf, 'a'), 'before')
      assert.deepEqual(await namesOf(shelf), ['a'])
    },
  )

  promises('keeps nothing of a source that breaks off', async (shelf) => {
    const good = sourceOf(manyBytes(large))
    async function* broken() {
      yield manyBytes(large - 10)
      throw new Error('the disk was unplugged')
    }
    await assert.rejects(shelf.put('a', { ...good, open: () => Readable.from(broken()) }), /unplugged/)
    assert.deepEqual([await shelf.get('a'), await namesOf(shelf)], [undefined, []])
  })

  promises('compares the hash of what it gives', async (shelf) => {
    await shelf.put('a', sourceOf('words'))
    const { sha256 } = sourceOf('words')
    assert.equal((await read(shelf, 'a', { sha256 }))!.toString(), 'words')
    await assert.rejects(read(shelf, 'a', { sha256: sourceOf('other').sha256 }), {
      code: 'blob_damaged',
      facts: { name: 'a', reason: 'its hash is another one' },
    })
  })

  promises('lists the files of a folder with their sizes and times, in batches', async (shelf) => {
    const before = Date.now()
    for (let i = 0; i < 7; i++) await shelf.put(`uploads/${i % 2}/${i}`, sourceOf('x'.repeat(i)))
    await shelf.put('uploads-of-others/0', sourceOf(''))
    const entries = await listed(shelf, 'uploads/')
    assert.deepEqual(
      entries.map(({ name, size }) => [name, size]),
      [0, 2, 4, 6, 1, 3, 5].map((i) => [`uploads/${i % 2}/${i}`, i]),
    )
    // The clock of the server may differ by a little, and its times by less than a second.
    for (const { changedAt } of entries) assert.ok(Math.abs(changedAt - before) < 600_000, String(changedAt))
    assert.deepEqual(await namesOf(shelf, 'uploads/1/'), ['uploads/1/1', 'uploads/1/3', 'uploads/1/5'])
    assert.deepEqual(await namesOf(shelf, 'none/'), [])
    assert.equal((await namesOf(shelf)).length, 8)
  })

  promises('removes files, also a second time, and none but those', async (shelf) => {
    const names = Array.from({ length: 12 }, (_, i) => `a/b/${i}`)
    for (const one of [...names, 'a/b/120', 'a/c']) await shelf.put(one, sourceOf(one))
    await shelf.remove(names)
    await shelf.remove([...names, 'never'])
    assert.deepEqual(await namesOf(shelf), ['a/b/120', 'a/c'])
    await shelf.put('a/b/0', sourceOf('again'))
    assert.equal(await textOf(shelf, 'a/b/0'), 'again')
  })

  promises('clears nothing that is visible', async (shelf) => {
    await shelf.put('a', sourceOf('small'))
    await shelf.put('b', sourceOf(manyBytes(large)))
    await shelf.sweep(Date.now() + 3_600_000)
    assert.deepEqual(await namesOf(shelf), ['a', 'b'])
  })

  promises('stops a reader that takes less than all', async (shelf) => {
    await shelf.put('a', sourceOf(manyBytes(large)))
    for (let i = 0; i < 20; i++) {
      const found = await shelf.get('a')
      if (i % 2) for await (const _ of found!.content) break
      found!.content.destroy()
    }
    assert.equal((await read(shelf, 'a'))!.length, large)
  })

  promises('takes no name that leaves its folder or needs escapes', async (shelf) => {
    for (const bad of [
      '',
      '/a',
      'a/',
      'a//b',
      '../a',
      'a/../b',
      '.a',
      'a/.b',
      'a b',
      'ä',
      'a\\b',
      'a%2e',
      'a?b',
      `a\0`,
    ]) {
      await assert.rejects(async () => shelf.put(bad, sourceOf('x')), TypeError, bad)
      await assert.rejects(async () => shelf.get(bad), TypeError, bad)
      await assert.rejects(async () => shelf.remove([bad]), TypeError, bad)
    }
    assert.deepEqual(await namesOf(shelf), [])
  })
}
