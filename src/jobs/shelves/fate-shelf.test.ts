import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ChunkFate } from '../../contract/dry-run.ts'
import { blobDirectory } from '../../blobs/directory.ts'
import { fateShelf } from './fate-shelf.ts'

function folder(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-fates-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const shelfIn = (directory: string) => fateShelf(blobDirectory(directory), path.join(directory, 'scratch'))

const row = (fate: ChunkFate, text: string) => ({ fate, text, metadata: { page: 1 }, tokens: text.length })
const ALL = { offset: 0, limit: 100 }

test('fateShelf() pages the chunks of a source, of all sources, and those with one fate', async (t) => {
  const shelf = shelfIn(folder(t))
  const list = await shelf.open('job')
  await Promise.all([
    list.add('a', [row('added', 'a0'), row('skipped', 'a1')]),
    list.add('b', [row('added', 'b0')]),
    list.add('a', [row('deleted', 'a2'), row('added', 'a3')]),
  ])
  const texts = async (page: Parameters<typeof shelf.chunks>[1]) => {
    const found = (await shelf.chunks('job', page))!
    return [found.total, ...found.rows.map(({ source, text }) => `${source}:${text}`)]
  }
  const check = async () => {
    assert.deepEqual(await texts(ALL), [5, 'a:a0', 'a:a1', 'a:a2', 'a:a3', 'b:b0'])
    assert.deepEqual(await texts({ source: 'a', offset: 1, limit: 2 }), [4, 'a:a1', 'a:a2'])
    assert.deepEqual(await texts({ fate: 'added', offset: 1, limit: 1 }), [3, 'a:a3'])
    assert.deepEqual(await texts({ source: 'none', offset: 0, limit: 1 }), [0])
    const largest = (await shelf.sources('job', { offset: 0, limit: 1, largestFirst: true }))!
    assert.equal(largest.rows[0]!.source, 'a')
    assert.deepEqual(await shelf.sources('job', { offset: 0, limit: 1 }), {
      total: 2,
      rows: [
        { source: 'a', tokens: 8, added: 2, updated: 0, skipped: 1, deleted: 1, unchanged: 0, moved: 0 },
      ],
    })
  }
  // While it is written, and afterwards.
  await check()
  await list.close()
  await check()
  assert.equal(await shelf.chunks('other', ALL), undefined)
})

test('fateShelf() shows a revoked update as added, also when the list is read again later', async (t) => {
  const directory = folder(t)
  const list = await shelfIn(directory).open('job')
  await list.add('a', [row('updated', 'x'), row('updated', 'y')], ['hx', 'hy'])
  await list.add('a', [row('skipped', 'z')], ['hx'])
  list.revokeUpdate('a', 'hx')
  list.revokeUpdate('a', 'unknown')
  await list.add('a', [row('moved', 'v'), row('moved', 'w')], ['hv', undefined])
  list.revokeUpdate('a', 'hv')
  assert.partialDeepStrictEqual(await list.totals(), { added: 2, updated: 1, moved: 1, skipped: 1 })
  await list.close()
  const shelf = shelfIn(directory)
  const { rows } = (await shelf.chunks('job', { source: 'a', ...ALL }))!
  assert.deepEqual(
    rows.map(({ fate }) => fate),
    ['added', 'updated', 'skipped', 'added', 'moved'],
  )
  assert.equal((await shelf.chunks('job', { fate: 'updated', ...ALL }))!.total, 1)
})

test('fateShelf() removes old lists and the oldest above the limit, and replaces the list of a repeated job', async (t) => {
  const directory = folder(t)
  const shelf = shelfIn(directory)
  for (const job of ['one', 'two']) {
    const list = await shelf.open(job)
    await list.add('a', [row('added', 'text')])
    await list.close()
  }
  const again = await shelf.open('one')
  await again.add('b', [row('added', 'new')])
  await again.close()
  assert.deepEqual(
    (await shelf.chunks('one', ALL))!.rows.map(({ source }) => source),
    ['b'],
  )
  await shelf.sweep(0, 1_000_000)
  assert.ok(existsSync(path.join(directory, 'dry-runs/two')))
  await shelf.sweep(0, 0)
  assert.equal(await shelf.chunks('one', ALL), undefined)
  await shelf.sweep(Number.MAX_SAFE_INTEGER, 1_000_000)
})
