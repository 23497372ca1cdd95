import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { checked, fileSource, textSource } from './source.ts'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

async function* inPieces(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece)
}

test('textSource() counts bytes, and can be opened again', async () => {
  const source = textSource('é€')
  assert.deepEqual([source.size, source.sha256], [5, sha256('é€')])
  for (let time = 0; time < 2; time++) assert.equal(await text(source.open()), 'é€')
})

test('fileSource() reads the file', async () => {
  const file = import.meta.filename
  const source = fileSource(file, { size: 3, sha256: 'h' })
  assert.deepEqual([source.path, source.size, source.sha256], [file, 3, 'h'])
  assert.match(await text(source.open()), /fileSource\(\) reads the file/)
})

test('checked() passes on bytes of the given number and hash', async () => {
  for (const facts of [{}, { size: 4 }, { sha256: sha256('abcd') }, { size: 4, sha256: sha256('abcd') }])
    assert.equal(await text(checked('x', inPieces('ab', 'cd'), facts)), 'abcd')
  assert.equal((await buffer(checked('x', inPieces(), { size: 0, sha256: sha256('') }))).length, 0)
})

for (const [what, facts, reason] of [
  ['fewer bytes', { size: 5 }, 'it has 4 of 5 bytes'],
  ['more bytes', { size: 3 }, 'it has 4 of 3 bytes'],
  ['bytes where there should be none', { size: 0 }, 'it has 4 of 0 bytes'],
  ['another hash', { size: 4, sha256: sha256('abce') }, 'its hash is another one'],
] as const)
  test(`checked() fails after the last byte with ${what}`, async () => {
    let bytes = 0
    const read = async () => {
      for await (const piece of checked('a.txt', inPieces('ab', 'cd'), facts)) bytes += piece.length
    }
    await assert.rejects(read(), { code: 'blob_damaged', facts: { name: 'a.txt', reason } })
    assert.equal(bytes, 4)
  })
