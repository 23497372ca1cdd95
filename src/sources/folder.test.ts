import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { FILE_TYPES } from '../contract/file-parser.ts'
import { createFileParser } from '../formats/pool.ts'
import { SluiceError } from '../kit/errors.ts'
import { openPathAllowlist } from './path-allowlist.ts'
import { folderItems } from './folder.ts'

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-folder-')))
const parser = createFileParser({ readable: [root], size: 1 })
after(async () => {
  await parser.close()
  rmSync(root, { recursive: true, force: true })
})

/** Files below the root by their path; a value that begins with `->` is a link. */
function write(files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    if (content.startsWith('->')) symlinkSync(path.resolve(path.dirname(file), content.slice(2)), file)
    else writeFileSync(file, content)
  }
}

write({
  'open/b.txt': 'Badger',
  'open/a.md': '# Otter',
  'open/empty.txt': '',
  'open/picture.png': '\x89PNG\0\0\0\0',
  'open/.env': 'SECRET=1',
  'open/.git/config.txt': 'no',
  'open/deep/er/c.txt': 'Crow',
  'open/deep/round': '->../deep',
  'open/link.txt': '->../also/d.txt',
  'open/out.txt': '->../closed/secret.txt',
  'open/outside': '->../closed',
  'open/data/database.txt': 'never',
  'also/d.txt': 'Deer',
  'closed/secret.txt': 'secret',
})
const at = (name: string) => path.join(root, name)
const folders = { allowed: [at('open'), at('also')], never: [at('open/data')] }

async function read(recursive: boolean, folder = at('open')): Promise<string[]> {
  const signal = new AbortController().signal
  const reading = { types: FILE_TYPES, accepts: ['.txt'], options: {}, parser }
  const allowlist = await openPathAllowlist(folders)
  const rows: string[] = []
  for await (const item of folderItems({ name: 'node', folder, recursive, allowlist, reading }, signal))
    try {
      let text = ''
      for await (const { parts, notes } of item.read(signal)) {
        for (const { pageContent, metadata } of parts) {
          assert.equal(metadata.source, item.name)
          text += pageContent
        }
        text += notes.join()
      }
      assert.match(item.fingerprint!, /^(text \d+ )?[0-9a-f]{64}$/)
      rows.push(`${item.name}: ${text}`)
    } catch (error) {
      assert.ok(error instanceof SluiceError)
      assert.ok(!error.message.includes(root))
      rows.push(`${item.name} ${error.code}`)
    }
  return rows
}

const FLAT = [
  'a.md: # Otter',
  'b.txt: Badger',
  'empty.txt: the file is empty',
  'link.txt: Deer',
  'out.txt path_not_allowed',
  'outside path_not_allowed',
  'picture.png file_type_not_accepted',
]

test('folderItems() reads the files of a folder, named by their path in it; links only inside the allowlist', async () => {
  assert.deepEqual(await read(false), FLAT)
})

test('folderItems() reads subfolders if `recursive`, each once, and never the data directory', async () => {
  assert.deepEqual(await read(true), [...FLAT, 'deep/er/c.txt: Crow'])
})

test('folderItems() names a folder that cannot be read, and marks that its content is unknown', async () => {
  const allowlist = await openPathAllowlist(folders)
  const reading = { types: FILE_TYPES, accepts: [], options: {}, parser }
  const options = { name: 'node', folder: at('open/a.md'), recursive: true, allowlist, reading }
  for await (const item of folderItems(options, new AbortController().signal)) {
    assert.deepEqual([item.name, item.discoversOthers], ['node', true])
    await assert.rejects(item.read(new AbortController().signal)[Symbol.asyncIterator]().next(), {
      message: 'node cannot be read: the server has no access to it (ENOTDIR)',
    })
  }
})

test('openPathAllowlist() allows paths below an allowed directory, absolute or relative to any of them', async () => {
  const allowlist = await openPathAllowlist(folders)
  assert.equal(await allowlist.resolve(at('open/deep'), 'x'), at('open/deep'))
  assert.equal(await allowlist.resolve('deep', 'x'), at('open/deep'))
  assert.equal(await allowlist.resolve('d.txt', 'x'), at('also/d.txt'))
  assert.equal(await allowlist.resolve(at('open'), 'x'), at('open'))
})

for (const given of [
  '',
  at('closed'),
  at('open/../closed'),
  '../closed',
  at('open/outside'),
  at('open/data'),
  at('open/nowhere'),
  `${at('open')}-not`,
  'a\0b',
  '/',
])
  test(`openPathAllowlist() refuses ${JSON.stringify(given.replace(root, ''))}`, async () => {
    const allowlist = await openPathAllowlist(folders)
    await assert.rejects(allowlist.resolve(given, 'folderFiles_0'), {
      code: 'path_not_allowed',
      facts: {
        file: 'folderFiles_0',
        hint: 'To allow it, name the directory in FOLDER_ALLOW and start the server again',
      },
    })
  })

test('openPathAllowlist() allows nothing if no directory is allowed', async () => {
  const allowlist = await openPathAllowlist({ allowed: [], never: [] })
  await assert.rejects(allowlist.resolve(at('open'), 'x'), { code: 'path_not_allowed' })
})
