import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { decodeStream, decodeText } from './decode.ts'

const GERMAN =
  'Größe und Höhe der Brücke über die Mühle am Bäckerweg wurden überprüft; die Gemeinde führt darüber Bücher. '
const JAPANESE =
  'これは日本語の文章です。文字コードを正しく判別できるかどうかを確かめるために書かれています。漢字とかなが混ざります。'
const RUSSIAN =
  'Этот текст написан по-русски, чтобы проверить, правильно ли определяется кодировка старых файлов. '

const inPieces = async (bytes: Uint8Array, size: number): Promise<string> => {
  let text = ''
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  for await (const piece of decodeStream(pieces())) text += piece
  return text
}

test('decodeText() reads UTF-8, with or without a byte order mark', async () => {
  assert.equal(await decodeText(Buffer.from('Größe 漢字 🎈')), 'Größe 漢字 🎈')
  assert.equal(await decodeText(Buffer.from('\ufeffGröße')), 'Größe')
  assert.equal(await decodeText(Buffer.from('')), '')
  assert.equal(await decodeText(Buffer.from('a\r\nb\tc\rd')), 'a\r\nb\tc\rd')
})

test('decodeText() reads UTF-16 and UTF-32', async () => {
  const text = 'Size and Größe of 🎈'
  assert.equal(await decodeText(iconv.encode(text, 'utf-16le', { addBOM: true })), text)
  assert.equal(await decodeText(iconv.encode(text, 'utf-16be', { addBOM: true })), text)
  assert.equal(await decodeText(iconv.encode(text, 'utf-16le')), text)
  assert.equal(await decodeText(iconv.encode(text, 'utf-16be')), text)
  assert.equal(await decodeText(iconv.encode(text, 'utf-32le', { addBOM: true })), text)
})

test('decodeText() finds the legacy encoding of a text that declares none', async () => {
  for (const [text, encoding] of [
    [GERMAN, 'windows-1252'],
    [RUSSIAN, 'windows-1251'],
    [RUSSIAN, 'koi8-r'],
    [JAPANESE, 'shift_jis'],
    [JAPANESE, 'euc-jp'],
    [RUSSIAN, 'cp866'],
  ] as const) {
    assert.equal(await decodeText(iconv.encode(text, encoding)), text, encoding)
  }
})

test('decodeText() reads ISO-2022-JP, and reads a log with colour escapes as UTF-8', async () => {
  const mail = Buffer.from('Subject: \x1b$B4A;z\x1b(B\r\n')
  assert.equal(await decodeText(mail), 'Subject: 漢字\r\n')
  assert.equal(await decodeText(Buffer.from('\x1b[31mred\x1b[0m')), '\x1b[31mred\x1b[0m')
})

test('decodeStream() gives the same text however it is divided into pieces', async () => {
  const text = 'Größe 漢字 🎈, '.repeat(20)
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
    const bytes = iconv.encode(text, encoding, { addBOM: true })
    for (const size of [5, 6, 7, 8, 9, 1000]) {
      assert.equal(await inPieces(bytes, size), text, `${encoding} by ${size}`)
    }
  }
})

test('decodeStream() decides again after a long ASCII beginning, which proves nothing', async () => {
  const text = `${'plain words, '.repeat(12_000)}${GERMAN.repeat(50)}`
  for (const size of [30_000, 100_000, 1_000_000]) {
    assert.equal(await inPieces(iconv.encode(text, 'windows-1252'), size), text, `windows-1252 by ${size}`)
    assert.equal(await inPieces(Buffer.from(text), size), text, `utf-8 by ${size}`)
  }
})

test('decodeStream() keeps a legacy character whose byte ends an ASCII piece', async () => {
  const bytes = iconv.encode(`${'x'.repeat(99)}äh, ${GERMAN.repeat(20)}`, 'windows-1252')
  assert.match(await inPieces(bytes, 100), /xäh, Größe/)
})

test('decodeText() replaces damaged bytes in text that is proved to be UTF-8', async () => {
  const damaged = Buffer.concat([
    Buffer.from('Größe '.repeat(20_000)),
    Buffer.from([0xff]),
    Buffer.from(' Höhe'),
  ])
  assert.ok((await decodeText(damaged)).endsWith('Größe \ufffd Höhe'))
})
