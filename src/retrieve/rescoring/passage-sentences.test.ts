import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passageSentences } from './passage-sentences.ts'

const CASES: [name: string, text: string, sentences: string[]][] = [
  [
    'ends at a full stop, a question mark or a quotation mark after them',
    'The heron waits in the water for a fish. "Does it ever sleep in the night?" Nothing is known of that here.',
    [
      'The heron waits in the water for a fish.',
      '"Does it ever sleep in the night?"',
      'Nothing is known of that here.',
    ],
  ],
  [
    'has its own line in code and tables, with short lines beside it',
    'function add(first, second) {\n  return first + second\n}\nexport const TOTAL = add(1, 2)',
    ['function add(first, second) {   return first + second }', 'export const TOTAL = add(1, 2)'],
  ],
  [
    'ends at the marks of Chinese and Hindi without a space; a short one takes the next',
    '蒼鷺站在淺水中等待魚兒游過來然後迅速地把牠抓住並且整條吞下去。牠在夜裡也會站在水邊睡覺。बगुला उथले पानी में खड़ा होकर मछली का इंतज़ार करता है।',
    [
      '蒼鷺站在淺水中等待魚兒游過來然後迅速地把牠抓住並且整條吞下去。',
      '牠在夜裡也會站在水邊睡覺。 बगुला उथले पानी में खड़ा होकर मछली का इंतज़ार करता है।',
    ],
  ],
  [
    'ends at a space in Thai',
    'นกกระสายืนอยู่ในน้ำตื้นเพื่อรอปลา มันนอนหลับริมน้ำในเวลากลางคืน',
    ['นกกระสายืนอยู่ในน้ำตื้นเพื่อรอปลา', 'มันนอนหลับริมน้ำในเวลากลางคืน'],
  ],
  ['is the whole text where there is nothing else', ' \n ', [' \n ']],
]

for (const [name, text, sentences] of CASES)
  test(`passageSentences(): a sentence ${name}`, () => assert.deepEqual(passageSentences(text), sentences))
