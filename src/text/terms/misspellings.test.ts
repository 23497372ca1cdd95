import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editsOf, plainWordsOf } from './misspellings.ts'
import { termsOf } from './question.ts'

test('plainWordsOf() gives plain words of four letters or more, and those of names, without chains, codes, capitals, stop words and tones', () => {
  const rows: [question: string, words: string[]][] = [
    ['How do I recieve the adress of a client?', ['recieve', 'adress', 'client']],
    ['the NATO treaty of 1949', ['treaty']],
    ['cat dog bird', ['bird']],
    ['call getUserName() in v1.2 of my_module or jane.doe@example.com', ['call', 'User', 'Name', 'module']],
    ['get_usre HTTPServre file-nmae', ['usre', 'Servre', 'file', 'nmae']],
    ['mp3player abc123def AB-1234 sku_12_usre', []],
    // The characters between the parts of a Persian word are not seen; all of it is one term.
    ['کتاب‌خانه می‌نویسد', ['کتابخانه', 'مینویسد']],
    ['Wo liegt der Bahnhof? Straße', ['liegt', 'Bahnhof', 'Straße']],
    ['Где находится столица', ['находится', 'столица']],
    ['东京大学在哪里', []],
    ['กรุงเทพมหานคร', []],
    ['Chiến dịch Điện Biên Phủ', []],
    ['recieve recieve', ['recieve']],
  ]
  for (const [question, words] of rows)
    assert.deepEqual(
      plainWordsOf(question).map(({ word }) => word),
      words,
      question,
    )
})

test('editsOf() has the word that was meant, for each kind of typing error in each script, with the term that a text has', () => {
  const rows: [typed: string, meant: string][] = [
    ['recieve', 'receive'],
    ['adress', 'address'],
    ['goverrnment', 'government'],
    ['tabke', 'table'],
    ['Öffnunszeit', 'offnungszeit'],
    ['стлица', 'столица'],
    ['Αθηαν', 'αθηνα'],
    ['ירושילם', 'ירושלים'],
    ['مديةن', 'مدينة'],
    ['भारात', 'भारत'],
    // Letters of another script that look the same.
    ['сlient', 'client'],
    ['sеrvеr', 'server'],
    ['cтолица', 'столица'],
  ]
  for (const [typed, meant] of rows) {
    const [word] = plainWordsOf(typed)
    const found = editsOf(word!.letters).find(({ letters }) => String.fromCodePoint(...letters) === meant)
    assert.deepEqual(new Set([found?.term]), termsOf(meant), typed)
  }
})

test('editsOf() takes a letter that sounds or looks alike for likelier than another one', () => {
  const rows: [typed: string, likely: string, unlikely: string][] = [
    ['ثابون', 'صابون', 'لابون'],
    ['पानि', 'पानी', 'पाना'],
    ['молако', 'молоко', 'молуко'],
  ]
  for (const [typed, likely, unlikely] of rows) {
    const likelihoods = new Map(
      editsOf(plainWordsOf(typed)[0]!.letters).map(({ letters, likelihood }) => [
        String.fromCodePoint(...letters),
        likelihood,
      ]),
    )
    assert.ok(likelihoods.get(likely)! > likelihoods.get(unlikely)!, typed)
  }
})

test('editsOf() takes two letters in the wrong order for likelier than a wrong letter', () => {
  const likelihoods = new Map(
    editsOf(plainWordsOf('recieve')[0]!.letters).map(({ letters, likelihood }) => [
      String.fromCodePoint(...letters),
      likelihood,
    ]),
  )
  assert.ok(likelihoods.get('receive')! > likelihoods.get('relieve')!)
  assert.ok(![...likelihoods.values()].some((likelihood) => !(likelihood > 0)))
})
