import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { memoryLoader } from '../../test/support/memory-loader.ts'
import type { Loader, UploadedFile } from '../contract/loader.ts'
import { gather } from './run-items.ts'

const upload = (name: string, size = 1): UploadedFile => ({ name, path: name, size, sha256: name })

/** Takes uploads of one ending. */
const taking = (ending: string): Loader =>
  memoryLoader({
    id: ending,
    uploads: {
      accepts: [ending],
      item: async ({ name }) =>
        name.endsWith(ending) ? { name, source: name, async *read() {} } : undefined,
    },
  })

/** Finds its items by itself. */
const fetching = (...names: string[]): Loader => {
  const { uploads: _, ...loader } = memoryLoader({ id: 'fetching' })
  return {
    ...loader,
    async *items() {
      for (const name of names) yield { name, source: name, async *read() {} }
    },
  }
}

const gathered = async (loaders: Loader[], uploads?: UploadedFile[]) =>
  (await collect(gather(loaders, uploads, new AbortController().signal))).map((one) => {
    if ('empty' in one) return `${one.name}: empty`
    return `${one.name}: ${'error' in one ? one.error.code : one.loader.id}`
  })

test('gather() gives each upload to the first loader that reads it, in their order', async () => {
  const loaders = [taking('.a'), taking('.b'), taking('.a.b')]
  assert.deepEqual(
    await gathered(
      loaders,
      ['2.b', '1.a', '3.a.b', '4.c'].map((name) => upload(name)),
    ),
    ['2.b: .b', '1.a: .a', '3.a.b: .b', '4.c: file_type_not_accepted'],
  )
})

test('gather() names the type of a file that no loader reads, and the accepted types', async () => {
  const [found] = await collect(
    gather(
      [taking('.a'), taking('.b'), taking('.a')],
      [upload('dir.x/file.C')],
      new AbortController().signal,
    ),
  )
  assert.ok(found && 'error' in found)
  assert.deepEqual(found.error.facts, { file: 'dir.x/file.C', type: '.C', accepted: '.a .b' })
})

test('gather() has an empty file be empty, and one that cannot be looked at fail alone', async () => {
  const failing: Loader = {
    ...taking('.a'),
    uploads: { accepts: [], item: () => Promise.reject(new Error('gone')) },
  }
  assert.deepEqual(await gathered([failing], [upload('x.a', 0), upload('y.a')]), [
    'x.a: empty',
    'y.a: file_unreadable',
  ])
})

test('gather() also has the items of loaders that find them by themselves', async () => {
  assert.deepEqual(await gathered([fetching('p', 'q')]), ['p: fetching', 'q: fetching'])
  assert.deepEqual(await gathered([taking('.a'), fetching('p')], [upload('x.a')]), ['x.a: .a', 'p: fetching'])
})

test('gather() lets uploads stand in for the file that the flow stores', async () => {
  const both: Loader = { ...taking('.a'), ...{ items: fetching('stored').items! } }
  assert.deepEqual(await gathered([both]), ['stored: .a'])
  assert.deepEqual(await gathered([both], [upload('x.a')]), ['x.a: .a'])
})
