import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Piece, TextSplitter } from '../../src/contract/splitter.ts'
import { between, pick, randomParts, randomText, seeded, streamed } from '../support/splitter-oracle.ts'

/** In the splitter's own unit: characters or tokens. */
export type SplitterSizes = { chunkSize: number; chunkOverlap: number }

/** Texts without markup that a splitter would read. */
const PLAIN = [
  'One short line.',
  'The heron stands.\n\nThe otter swims,\nand dives.\n\n\nThe end.',
  'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. '.repeat(12),
  '漢字 かな 한글 עברית العربية ไทย 😀 👩‍👩‍👧‍👦\n'.repeat(9),
  Array.from({ length: 60 }, (_, n) => `line ${n} of a list`).join('\n'),
]

const MARKED_UP = [
  '# Title\n\nwords\n\n## Part\n\n- one\n- two\n\n```js\nconst a = 1\n# no title\n```\n\nmore words\n',
  '<html><body><h1>Title</h1><p>some words</p><ul><li>one</li><li>two</li></ul></body></html>',
  'import a\n\nclass B:\n  def c(self):\n    return 1\n\ndef d():\n  pass\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n'.repeat(6),
]

const BITS = [
  'a',
  'word ',
  'longer words here ',
  '\n',
  '\n\n',
  '# ',
  '- ',
  '.',
  '😀',
  'é',
  '漢',
  '<p>',
  '```\n',
]

const SIZES: SplitterSizes[] = [
  { chunkSize: 1000, chunkOverlap: 200 },
  { chunkSize: 40, chunkOverlap: 10 },
  { chunkSize: 7, chunkOverlap: 0 },
]

/** The text that a cutter gets: after the conversion, for a splitter that converts whole documents first. */
const convertedBy = async (splitter: TextSplitter, text: string): Promise<string> =>
  splitter.convert ? splitter.convert(text, new AbortController().signal) : text

const letters = (texts: readonly string[]) => texts.join('').replaceAll(/\s+/g, '')
const textsOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text)

/**
 * What every splitter promises; run by each implementation.
 *
 * @param cutsCharacters a splitter with a unit smaller than a character (a token of some bytes) may cut one in two;
 *   that it loses no letter is then shown with characters of one byte only
 */
export function textSplitterSuite(
  name: string,
  make: (sizes: SplitterSizes) => TextSplitter,
  { cutsCharacters = false }: { cutsCharacters?: boolean } = {},
): void {
  const promises = (promise: string, check: (splitter: TextSplitter, hint: string) => void | Promise<void>) =>
    test(`${name}: the TextSplitter ${promise}`, async () => {
      for (const sizes of SIZES) await check(make(sizes), JSON.stringify(sizes))
    })

  promises('has an id of one line, which the sizes are part of', (splitter) => {
    assert.match(splitter.id, /^[^\n]+$/)
    const others = SIZES.map((sizes) => make(sizes).id)
    assert.equal(others.filter((id) => id === splitter.id).length, 1)
    assert.equal(new Set(others).size, SIZES.length)
  })

  promises('gives no piece for a text without characters', (splitter) => {
    assert.deepEqual(splitter.split(''), [])
    assert.deepEqual(splitter.open().end(), [])
    assert.deepEqual(streamed(splitter.open(), ['', '', '']), [])
  })

  promises('gives a text that fits into one piece whole', (splitter, hint) => {
    assert.deepEqual(textsOf(splitter.split('word')), ['word'], hint)
  })

  promises('gives the same pieces for the same text again', (splitter, hint) => {
    for (const text of [...PLAIN, ...MARKED_UP])
      assert.deepEqual(splitter.split(text), splitter.split(text), hint)
  })

  promises(
    'open() gives the pieces of split(), however the converted text is divided',
    async (splitter, hint) => {
      const random = seeded(12)
      const drawn = Array.from({ length: 30 }, () => randomText(random, BITS, between(random, 0, 120)))
      for (const text of [...PLAIN, ...MARKED_UP, ...drawn]) {
        const about = `${hint} ${JSON.stringify(text)}`
        const whole = splitter.split(text)
        const converted = await convertedBy(splitter, text)
        for (let i = 0; i < 3; i++)
          assert.deepEqual(streamed(splitter.open(), randomParts(random, converted)), whole, about)
      }
    },
  )

  promises('open() gives cutters that do not disturb one another', async (splitter, hint) => {
    const random = seeded(7)
    const texts = [pick(random, PLAIN), pick(random, MARKED_UP)]
    const cutters = texts.map(() => splitter.open())
    const pieces: Piece[][] = texts.map(() => [])
    const converted = await Promise.all(texts.map((text) => convertedBy(splitter, text)))
    const divided = converted.map((text) => randomParts(random, text))
    for (let i = 0; i < Math.max(...divided.map(({ length }) => length)); i++)
      for (const [n, cutter] of cutters.entries()) pieces[n]!.push(...cutter.push(divided[n]![i] ?? ''))
    for (const [n, cutter] of cutters.entries()) pieces[n]!.push(...cutter.end())
    assert.deepEqual(
      pieces,
      texts.map((text) => splitter.split(text)),
      hint,
    )
  })

  promises('gives no empty piece', (splitter, hint) => {
    for (const text of [...PLAIN, ...MARKED_UP])
      for (const piece of textsOf(splitter.split(text))) assert.notEqual(piece, '', hint)
  })

  promises('gives line numbers within the text that never go back, or none', (splitter, hint) => {
    for (const text of PLAIN) {
      const lines = splitter.split(text).flatMap((piece) => piece.lines ?? [])
      let previous = 1
      for (const { from, to } of lines) {
        assert.ok(from >= previous && from <= to && to <= text.split('\n').length, `${hint} ${from}-${to}`)
        previous = from
      }
    }
  })

  test(`${name}: the TextSplitter gives ranges in which the converted text has the words of the pieces [chunks:ranges]`, async () => {
    for (const sizes of SIZES) {
      const splitter = make(sizes)
      for (const text of [...PLAIN, ...MARKED_UP]) {
        const converted = await convertedBy(splitter, text)
        for (const { text: piece, range } of splitter.split(text)) {
          const covered = converted.slice(range!.start, range!.end)
          // A cut character is a replacement character in the piece.
          const words = letters([piece]).replaceAll('\ufffd', '')
          assert.ok(letters([covered]).includes(words), `${JSON.stringify(sizes)} ${JSON.stringify(piece)}`)
          assert.ok(covered.length - piece.length < 50, `${covered.length} units for ${piece.length}`)
        }
      }
    }
  })

  test(`${name}: the TextSplitter loses no letter and adds none, where pieces do not overlap`, () => {
    const texts = cutsCharacters ? PLAIN.filter((text) => Buffer.byteLength(text) === text.length) : PLAIN
    for (const chunkSize of [1000, 60, 20])
      for (const text of texts) {
        const pieces = textsOf(make({ chunkSize, chunkOverlap: 0 }).split(text))
        assert.equal(letters(pieces), letters([text]), `${chunkSize} ${JSON.stringify(text)}`)
      }
  })
}
