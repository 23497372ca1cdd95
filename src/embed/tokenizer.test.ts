import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tokenizer } from './tokenizer.ts'
import { textSections } from './text-sections.ts'

const VOCABULARY = [
  ...[
    'invoice',
    'in',
    '##voice',
    '##s',
    '##v',
    'a',
    '##a',
    'naive',
    'σοφος',
    '##ς',
    '1',
    '##0',
    '10',
    '##',
    '#',
  ],
  ...[
    '東',
    '京',
    '東京',
    '都',
    '京都',
    'カ',
    '한',
    '##국',
    '😀',
    '𠀀',
    '𠀀東',
    'क',
    '##ा',
    'ب',
    '##ي',
    'e',
    '##e',
  ],
]

/** A second implementation of the published rules, one code point at a time and without shortcuts. */
function plainTokens(text: string): number[] {
  const dropped = (point: number) =>
    (point >= 0x300 && point <= 0x36f) ||
    (point >= 0x591 && point <= 0x5c7 && ![0x5be, 0x5c0, 0x5c3, 0x5c6].includes(point)) ||
    point === 0x640 ||
    (point >= 0x64b && point <= 0x65f) ||
    point === 0x670
  const normal = [...text.normalize('NFKD').toLowerCase()]
    .filter((character) => !dropped(character.codePointAt(0)!))
    .join('')
    .normalize('NFC')
  const cjk = (point: number) =>
    [
      ...[
        [0x3005, 0x3007],
        [0x3040, 0x30ff],
        [0x3400, 0x4dbf],
        [0x4e00, 0x9fff],
        [0xf900, 0xfaff],
      ],
      [0x20000, 0x3ffff],
    ].some(([from, to]) => point >= from! && point <= to!)
  const kind = (character: string) => {
    if (cjk(character.codePointAt(0)!)) return 'cjk'
    if (/\p{N}/u.test(character)) return 'number'
    if (/[\p{L}\p{M}]/u.test(character)) return 'letter'
    return /\p{So}/u.test(character) ? 'symbol' : 'none'
  }
  const words: { kind: string; points: string[] }[] = []
  for (const character of normal) {
    const last = words.at(-1)
    const here = kind(character)
    if (last?.kind === here && here !== 'symbol') last.points.push(character)
    else words.push({ kind: here, points: [character] })
  }
  return words.flatMap(({ kind: of, points }) => {
    if (of === 'none') return []
    if (of === 'cjk')
      return points
        .flatMap((point, at) => [point, ...(at + 1 < points.length ? [point + points[at + 1]!] : [])])
        .map((token) => VOCABULARY.indexOf(token))
        .filter((id) => id >= 0)
    const ids: number[] = []
    for (let at = 0; at < points.length; ) {
      let end = points.length
      const token = () => (at > 0 ? '##' : '') + points.slice(at, end).join('')
      const known = () =>
        VOCABULARY.indexOf(token()) >= 0 && !(at === 0 && token().length > 2 && token().startsWith('##'))
      while (end > at && !known()) end--
      if (end > at) ids.push(VOCABULARY.indexOf(token()))
      at = Math.max(end, at + 1)
    }
    return ids
  })
}

/** A generator of pseudorandom numbers below a bound (Park and Miller), equal in every run. */
function seeded(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
}

const PARTS = [
  ...VOCABULARY.map((token) => token.replace(/^##/, '')),
  ...[
    'INVOICE',
    'Na\u00efve',
    'nai\u0308ve',
    '\uff11\uff10',
    '\u2460',
    '\ufb01',
    '\u212b',
    '\u0130',
    '\u03a3',
    'ΣΟΦΟΣ',
    'ⅷ',
    'ﷺ',
  ],
  ...[
    ' ',
    '\n',
    '.',
    '\u00ad',
    '\u200b',
    '\ufeff',
    '\u3002',
    '\ud83d',
    '\udc00',
    '\u0301',
    '\u3099',
    '\uff76\uff9e',
    '\u00b4',
    '#',
  ],
]

function randomText(random: (bound: number) => number, parts: number): string {
  return Array.from({ length: parts }, () =>
    random(4) > 0
      ? PARTS[random(PARTS.length)]!
      : String.fromCodePoint(random(random(3) > 0 ? 0x3100 : 0x2_ffff)),
  ).join('')
}

test('Tokenizer.tokens equals the plain rules on random text of all scripts', () => {
  const random = seeded(7)
  const tokenizer = new Tokenizer(VOCABULARY)
  let found = 0
  for (let round = 0; round < 6000; round++) {
    const text = randomText(random, random(24))
    const expected = plainTokens(text)
    assert.deepEqual(tokenizer.tokens(text), expected, JSON.stringify(text))
    found += expected.length
  }
  assert.ok(found > 20_000, 'the texts hold tokens enough to prove something')
})

test('Tokenizer.tokens cuts a word greedily and skips characters without a token', () => {
  const names = (text: string) => new Tokenizer(VOCABULARY).tokens(text).map((id) => VOCABULARY[id])
  assert.deepEqual(names('Invoices in 100'), ['invoice', '##s', 'in', '10', '##0'])
  assert.deepEqual(names('xvoices'), ['##voice', '##s'])
  assert.deepEqual(names('東京都'), ['東', '東京', '京', '京都', '都'])
  assert.deepEqual(names(''), [])
  assert.deepEqual(names('?! --'), [])
})

test('textSections() cuts only where the tokens stay the same', () => {
  const random = seeded(11)
  const tokenizer = new Tokenizer(VOCABULARY)
  for (let round = 0; round < 2000; round++) {
    const text = randomText(random, 60)
    const sections = [...textSections(text, 1 + random(12))]
    assert.equal(sections.join(''), text)
    const tokens = sections.flatMap((section) => tokenizer.tokens(section))
    assert.deepEqual(tokens, tokenizer.tokens(text), JSON.stringify(text))
  }
})

test('textSections() keeps a text without spaces whole', () => {
  assert.deepEqual([...textSections('x'.repeat(50_000))], ['x'.repeat(50_000)])
  assert.deepEqual([...textSections('')], [''])
  assert.equal([...textSections('word '.repeat(20_000))].length, 7)
})
