import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asMeant } from './as-meant.ts'

test('asMeant() puts the first reading in the place of each misspelt word, not of words that have its letters', () => {
  const rows: [question: string, readings: [word: string, readAs: string][], meant: string][] = [
    ['the adres of a client', [['adres', 'address']], 'the address of a client'],
    ['adres, adresses', [['adres', 'address']], 'address, adresses'],
    ['userNmae and nmaeX', [['nmae', 'name']], 'userNmae and nameX'],
    ['userNmae', [['Nmae', 'name']], 'username'],
    ['get_nmae', [['nmae', 'name']], 'get_name'],
    ['کتاب‌خاته', [['کتابخاته', 'کتابخانه']], 'کتابخانه'],
    ['$& costs', [['costs', '$&']], '$& $&'],
    ['nothing', [], 'nothing'],
  ]
  for (const [question, readings, meant] of rows)
    assert.equal(
      asMeant(
        question,
        readings.map(([word, readAs]) => ({ word, readAs: [readAs] })),
      ),
      meant,
    )
})
