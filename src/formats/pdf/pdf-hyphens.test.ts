import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineEndHyphens } from './pdf-hyphens.ts'

/** What is made of lines that end with a hyphen and the lines after them, in a document with these other lines. */
function judged(document: string[], ...ends: [before: string, next: string][]): string[] {
  const hyphens = new LineEndHyphens()
  hyphens.learn(document.map((text) => ({ text })))
  return ends.map(([before, next]) => hyphens.judge(before, next))
}

test('LineEndHyphens joins a word that the document has whole, and keeps the hyphen of one that it has with it [formats:pdf-words]', () => {
  const document = [
    'The information is well-known, and so is',
    'every Debian-based system: information',
    'about GPL.',
  ]
  assert.deepEqual(
    judged(
      document,
      ['infor-', 'mation'],
      ['(Infor-', 'mation,'],
      ['well-', 'known'],
      ['Debian-', 'based systems'],
    ),
    ['cut', 'cut', 'compound', 'compound'],
  )
})

test('LineEndHyphens keeps the hyphen between parts that are found alone or in other compounds', () => {
  const document = [
    'A Debian archive, based on the Debian tools, for Debian users.',
    'text-based, user-friendly, a defined list',
  ]
  assert.deepEqual(
    judged(
      document,
      ['Debian-', 'based'],
      ['GPL-', 'based'],
      ['user-', 'defined'],
      ['state-of-the-', 'art'],
      ['x-', 'ray'],
    ),
    ['compound', 'compound', 'compound', 'compound', 'compound'],
  )
})

test('LineEndHyphens joins what it knows nothing about, also short words that other words begin with', () => {
  const document = [
    'It is in to the archive with no out put.',
    'A multipli-',
    'cation, and another multiplication.',
  ]
  assert.deepEqual(judged(document, ['ar-', 'range'], ['in-', 'to'], ['with-', 'out']), ['cut', 'cut', 'cut'])
})

test('LineEndHyphens keeps hyphens before capital letters, in addresses and options, and of cut pairs', () => {
  assert.deepEqual(
    judged(
      [],
      ['Baden-', 'Baden'],
      ['NATO-', 'freundlich'],
      ['https://example.com/well-', 'known'],
      ['--dry-', 'run'],
      ['US-', 'ASCII'],
      ['Vor-', 'und Nachteile'],
      ['pre-', 'and post-war'],
    ),
    ['compound', 'compound', 'compound', 'compound', 'compound', 'apart', 'apart'],
  )
})

test('LineEndHyphens tells German nouns from their parts by the capital letter', () => {
  const document = ['Die Tür ist zu, das Haus ist leer, der Bug-Tracker auch.', 'Haus und Haus und Hof']
  assert.deepEqual(judged(document, ['Haus-', 'tür'], ['Informations-', 'tracker']), ['cut', 'cut'])
})

test('LineEndHyphens keeps all hyphens of a document that cuts no words', () => {
  const lines = ['a low-', 'budget film of high-', 'impact for five-', 'star people in one-', 'person homes']
  assert.deepEqual(judged(lines, ['four-', 'wheel']), ['compound'])
  assert.deepEqual(judged([...lines, 'informa-', 'tion about information'], ['mem-', 'ory']), ['cut'])
})

test('LineEndHyphens needs little time and memory for a document of many words', () => {
  const hyphens = new LineEndHyphens()
  for (let page = 0; page < 100; page++)
    hyphens.learn(
      Array.from({ length: 200 }, (_, line) => ({
        text: Array.from({ length: 20 }, (_, word) => `w${letters(page * 4000 + line * 20 + word)}-`).join(
          ' ',
        ),
      })),
    )
  assert.equal(hyphens.judge('some-', 'thing'), 'compound')
})

const letters = (value: number): string =>
  value.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)
