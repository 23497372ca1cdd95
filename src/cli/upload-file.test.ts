import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { temporaryDirectory } from '../../test/support/command-line.ts'
import { Failure, UsageError } from './failure.ts'
import { gatherFiles } from './upload-file.ts'

function plant(t: TestContext, files: Record<string, string>): string {
  const directory = temporaryDirectory(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(directory, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(directory, name), content)
  }
  return directory
}
const place = (directory: string) => ({ directory, stdin: Readable.from([]) })
const names = (files: { name: string }[]) => files.map(({ name }) => name)
const contentOf = async (open: AsyncIterable<Uint8Array>) => Buffer.concat(await collect(open)).toString()

test('gatherFiles() lists a directory in order, without hidden files and node_modules', async (t) => {
  const directory = plant(t, {
    'docs/b.md': 'b',
    'docs/a/z.txt': 'z',
    'docs/a.txt': 'a',
    'docs/.git/config': '',
    'docs/.hidden': '',
    'docs/node_modules/x/readme.md': '',
  })
  const files = await gatherFiles(['docs'], place(directory))
  assert.deepEqual(names(files), ['a.txt', 'a/z.txt', 'b.md'])
  assert.deepEqual(
    files.map(({ size }) => size),
    [1, 1, 1],
  )
  assert.equal(await contentOf(files[1]!.open()), 'z')
})

test('gatherFiles() follows links to files, but not links to directories or broken links', async (t) => {
  const directory = plant(t, { 'docs/a.txt': 'a', 'other/b.txt': 'b' })
  symlinkSync('../other/b.txt', path.join(directory, 'docs/link.txt'))
  symlinkSync('..', path.join(directory, 'docs/round'))
  symlinkSync('gone', path.join(directory, 'docs/gone.txt'))
  assert.deepEqual(names(await gatherFiles(['docs'], place(directory))), ['a.txt', 'link.txt'])
})

test('gatherFiles() names a single file by the last part of its path, hidden or not', async (t) => {
  const directory = plant(t, { 'docs/.notes': 'n', 'docs/a.txt': '' })
  const files = await gatherFiles(['docs/.notes', path.join(directory, 'docs/a.txt')], place(directory))
  assert.deepEqual(names(files), ['.notes', 'a.txt'])
  assert.equal(await contentOf(files[1]!.open()), '')
})

test('gatherFiles() takes standard input for -, with the given name', async () => {
  const stdin = Readable.from([Buffer.from('from a pipe')])
  const [file] = await gatherFiles(['-'], { directory: '.', stdin, stdinName: 'pipe.txt' })
  assert.deepEqual([file!.name, file!.size], ['pipe.txt', undefined])
  assert.equal(await contentOf(file!.open()), 'from a pipe')
  await assert.rejects(gatherFiles(['-'], { directory: '.', stdin }), UsageError)
})

test('gatherFiles() refuses two files with the same name, and names them', async (t) => {
  const directory = plant(t, { 'a/x.txt': '', 'b/x.txt': '' })
  await assert.rejects(
    gatherFiles(['a', 'b'], place(directory)),
    (error: unknown) =>
      error instanceof UsageError && error.message === 'a/x.txt and b/x.txt would both be sent as x.txt',
  )
})

test('gatherFiles() names a path that does not exist, and an empty directory', async (t) => {
  const directory = plant(t, { 'only/.hidden': '' })
  await assert.rejects(
    gatherFiles(['nowhere'], place(directory)),
    new Failure('There is no file or directory nowhere'),
  )
  await assert.rejects(gatherFiles(['only'], place(directory)), new Failure('There is no file in only'))
})

test('a file that grows or shrinks while it is sent is cut to the announced length or is an error', async (t) => {
  const directory = plant(t, { 'log.txt': '0123456789' })
  const file = path.join(directory, 'log.txt')
  const [log] = await gatherFiles(['log.txt'], place(directory))
  appendFileSync(file, 'more')
  assert.equal(await contentOf(log!.open()), '0123456789')
  truncateSync(file, 3)
  await assert.rejects(contentOf(log!.open()), new Failure('log.txt became shorter while it was sent'))
})
