import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { FILE_TYPES } from '../contract/file-parser.ts'
import { FILE_TYPE_FACTS } from '../formats/file-types.ts'
import { sha256 } from '../kit/hash.ts'
import { fingerprintOnDisk, fileHandler } from './file-item.ts'

const BYTES = Buffer.from('name,habit\nOtter,swims\n')

/** Never called: a fingerprint must be known before the file is read. */
const parser = { parse: () => assert.fail('read'), close: async () => {} }
const reading = { types: FILE_TYPES, accepts: [], options: {}, parser }
const handling = fileHandler(reading)

/** The fingerprints of the same bytes as an upload, as a file in a folder and as a file that a flow contains. */
async function fingerprints(t: { after(work: () => void): void }, name: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-item-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = { name, path: path.join(folder, name), size: BYTES.length }
  writeFileSync(file.path, BYTES)
  const upload = await handling.item({ ...file, sha256: sha256(BYTES) })
  return [
    upload!.fingerprint,
    await fingerprintOnDisk(file, reading),
    await handling.fingerprint(name, BYTES),
  ]
}

test('fileItem() gives the same bytes another fingerprint if another reader reads them [upsert:files:reader-revision]', async (t) => {
  for (const [name, type] of [
    ['animals.csv', 'csv'],
    ['animals.txt', 'text'],
    ['animals.unknown', 'text'],
  ] as const) {
    const expected = `${type} ${FILE_TYPE_FACTS[type].revision} ${sha256(BYTES)}`
    assert.deepEqual(await fingerprints(t, name), [expected, expected, expected], name)
  }
})

test('fileItem() has a mail without an ending read as text where the loader reads no mails', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-item-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const content = Buffer.from('From: a@b\nTo: c@d\nSubject: x\n\nwords')
  const textOnly = fileHandler({ types: ['text'], accepts: [], options: {}, parser })
  for (const [name, handler, type] of [
    ['letter', handling, 'eml'],
    ['letter', textOnly, 'text'],
    ['letter.eml', textOnly, undefined],
  ] as const) {
    const file = { name, path: path.join(folder, name), size: content.length, sha256: sha256(content) }
    writeFileSync(file.path, content)
    const item = await handler.item(file)
    assert.equal(item?.file?.type, type, name)
    if (item) assert.equal(await handler.fingerprint(name, content), item.fingerprint)
  }
})

test('fingerprintOnDisk() of a file that its reader refuses depends on its bytes only', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-item-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = { name: 'animals.pdf', path: path.join(folder, 'animals.pdf'), size: BYTES.length }
  writeFileSync(file.path, BYTES)
  assert.equal(await fingerprintOnDisk(file, reading), sha256(BYTES))
  assert.equal(await handling.fingerprint(file.name, BYTES), sha256(BYTES))
})
