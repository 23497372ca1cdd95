import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import type { FileParser, ParsedBatch } from '../contract/file-parser.ts'
import { withPlainTextInProcess } from './plain-text.ts'
import { readFileParts } from './read-file.ts'

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-plain-')))
after(() => rmSync(root, { recursive: true }))

/** Records which files were passed on, and reads nothing. */
function parserWith(sent: string[]): FileParser {
  return {
    async *parse({ name }) {
      sent.push(name)
      yield* []
    },
    close: async () => {},
  }
}

async function read(name: string, bytes: string | Uint8Array, readable = [root]) {
  const file = path.join(root, name)
  writeFileSync(file, bytes)
  const sent: string[] = []
  const batches: ParsedBatch[] = []
  for await (const batch of withPlainTextInProcess(parserWith(sent), readable).parse({
    path: file,
    name,
    type: 'text',
  }))
    batches.push(batch)
  return { parts: batches.flatMap(({ parts }) => parts), sent, file }
}

for (const [what, text] of [
  ['English', 'Otters hold hands.\n\nThey sleep.'],
  ['other scripts', 'かわうそ и выдра 🦦'],
  ['a byte order mark', '\ufeffOtter'],
  ['only white space', ' \n\t'],
  ['nothing', ''],
] as const)
  test(`withPlainTextInProcess() reads ${what} as the text reader does`, async () => {
    const { parts, sent, file } = await read('a.txt', text)
    assert.deepEqual(sent, [])
    assert.deepEqual(parts, await collect(readFileParts({ path: file, name: 'a.txt', type: 'text' })))
  })

for (const [what, bytes] of [
  ['Latin-1', Buffer.from('caf\xe9', 'latin1')],
  ['UTF-16', Buffer.from('Otter', 'utf16le')],
  ['ISO 2022', Buffer.from('\x1b$B$+\x1b(B')],
  ['a large text', 'x'.repeat(256 * 1024 + 1)],
] as const)
  test(`withPlainTextInProcess() leaves ${what} to the parser`, async () => {
    assert.deepEqual((await read('b.txt', bytes)).sent, ['b.txt'])
  })

test('withPlainTextInProcess() leaves to the parser files elsewhere, also behind a link, and files that do not exist', async () => {
  assert.deepEqual((await read('c.txt', 'text', [path.join(root, 'inner')])).sent, ['c.txt'])
  const link = path.join(root, 'link.txt')
  symlinkSync('/etc/hostname', link)
  for (const file of [link, path.join(root, 'gone.txt')]) {
    const sent: string[] = []
    const parser = withPlainTextInProcess(parserWith(sent), [root])
    for await (const _ of parser.parse({ path: file, name: 'x', type: 'text' }));
    assert.deepEqual(sent, ['x'])
  }
})
