import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listNumber } from './list-number.ts'

test('listNumber writes numbers as letters, Roman digits and with zeros', () => {
  const shown: [number: number, format: string | undefined, text: string][] = [
    [3, 'lowerLetter', 'c'],
    [28, 'upperLetter', 'BB'],
    [1994, 'lowerRoman', 'mcmxciv'],
    [4, 'upperRoman', 'IV'],
    [7, 'decimalZero', '07'],
    [7, 'decimal', '7'],
    [7, 'chineseCounting', '7'],
    [7, undefined, '7'],
  ]
  for (const [number, format, text] of shown) assert.equal(listNumber(number, format), text)
})

test('listNumber stays short for any number', () => {
  for (const format of ['lowerLetter', 'upperRoman', 'decimalZero']) {
    for (const number of [-5, 0, 5000, 2 ** 31, Number.MAX_VALUE, Number.NaN]) {
      assert.ok(listNumber(number, format).length <= 30, `${number} ${format}`)
    }
  }
})
