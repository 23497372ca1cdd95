import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { isText } from './is-text.ts'

/** Pseudorandom bytes, equal in each run and as evenly distributed as encrypted data. */
function evenBytes(seed: number, length: number): Buffer {
  const blocks: Buffer[] = []
  for (let n = 0; n * 32 < length; n++) blocks.push(createHash('sha256').update(`${seed} ${n}`).digest())
  return Buffer.concat(blocks).subarray(0, length)
}

const TEXTS: readonly (readonly [encoding: string, text: string])[] = [
  ['windows-1252', 'Größe und Höhe der Brücke, geprüft für 5 € je Stück.\r\n'],
  ['iso-8859-2', 'Zażółć gęślą jaźń, a potem wróć do źródła.\n'],
  ['windows-1251', 'Этот текст написан по-русски.\n'],
  ['koi8-r', 'Этот текст написан по-русски.\n'],
  ['cp866', 'Этот текст написан по-русски.\n'],
  ['windows-1253', 'Αυτό το κείμενο είναι στα ελληνικά.\n'],
  ['windows-1255', 'הטקסט הזה כתוב בעברית.\n'],
  ['windows-1256', 'هذا النص مكتوب بالعربية.\n'],
  ['shift_jis', 'これは日本語の文章です。漢字とかなが混ざります。\n'],
  ['euc-jp', 'これは日本語の文章です。漢字とかなが混ざります。\n'],
  ['gb18030', '这是用中文写的一段文字，用来检查编码。\n'],
  ['big5', '這是用中文寫的一段文字，用來檢查編碼。\n'],
  ['euc-kr', '이것은 한국어로 쓴 글입니다.\n'],
  ['utf-8', 'Größe 漢字 🎈\n'],
  ['utf-16le', 'Size and Größe of 🎈\n'],
  ['utf-16be', 'Size and Größe of 🎈\n'],
]

for (const [encoding, text] of TEXTS)
  test(`isText() recognises ${encoding} as text, short and long`, () => {
    for (const times of [1, 100]) assert.ok(isText(iconv.encode(text.repeat(times), encoding)), `${times}`)
  })

test('isText() recognises UTF-16 and UTF-32 with a byte order mark in any script', () => {
  for (const encoding of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])
    for (const [, text] of TEXTS)
      assert.ok(isText(iconv.encode(text.repeat(50), encoding, { addBOM: true })), encoding)
})

test('isText() accepts a few control characters, also in a legacy encoding', () => {
  const form = `page one\f${'words of a report, '.repeat(20)}\x1a`
  assert.ok(isText(Buffer.from(form)))
  assert.ok(isText(iconv.encode(`${form} für \x01`, 'windows-1252')))
  assert.ok(isText(Buffer.from('\x1b[31mred\x1b[0m\n'.repeat(99))))
})

test('isText() refuses random bytes of any length and compressed data, also after a byte order mark of UTF-16 or UTF-32', () => {
  for (let seed = 0; seed < 50; seed++)
    for (const length of [256, 1000, 8192, 65_536]) {
      const noise = evenBytes(seed, length)
      assert.ok(!isText(noise), `${length} bytes`)
      assert.ok(!isText(Buffer.concat([Buffer.from([0xff, 0xfe]), noise])), 'UTF-16')
      assert.ok(!isText(Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), noise])), 'UTF-32')
    }
  const words = Array.from({ length: 5000 }, (_, n) => `word ${(n * 7919) % 10_007}`).join(' ')
  assert.ok(!isText(deflateSync(words)))
})

test('isText() refuses 16-bit numbers, which have the NULs of UTF-16 without a byte order mark', () => {
  const samples = Buffer.concat(Array.from(evenBytes(1, 4000), (byte) => Buffer.from([byte, 0])))
  assert.ok(!isText(samples))
})

test('isText() refuses a binary file that begins with a text of some kilobytes', () => {
  assert.ok(!isText(Buffer.concat([Buffer.from('# a script\n'.repeat(1000)), evenBytes(3, 50_000)])))
})

test('isText() counts control characters at any place of a piece of memory', () => {
  for (let offset = 0; offset < 8; offset++)
    for (const length of [100, 101, 102, 103]) {
      const memory = new Uint8Array(200).fill(1)
      const head = memory.subarray(offset, offset + length)
      // Umlauts in Windows-1252, which are no UTF-8: then three of a hundred may be control characters.
      head.fill(0xe4)
      assert.ok(isText(head), `${offset} ${length}`)
      for (let at = 0; at < 4; at++) {
        head[(at * 31 + offset) % length] = 1
        assert.equal(isText(head), at < 3, `${offset} ${length} ${at}`)
      }
    }
})
