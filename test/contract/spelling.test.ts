import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Ranking } from '../../src/contract/retrieval.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { temporaryDatabase } from '../support/store.ts'
import { publishTexts } from '../support/text-chunks.ts'

const BY_KEYWORD: Ranking = { mode: 'keyword', fusion: 'convex', weight: 0 }

const TEXTS = {
  mail: 'You receive the letter at the address of the tenant.',
  relief: 'Aid workers relieve one another at noon.',
  ferry: 'The ferry to the island leaves the harbour twice a day.',
  more: 'The government buys many ferries. They receive more parcels than letters, and receive them late.',
}

async function storeOfTexts(t: TestContext, texts: Record<string, string> = TEXTS) {
  const store = builtInStores(temporaryDatabase(t)).open('n')
  await publishTexts(
    store,
    Object.entries(texts).map(([source, text]) => ({ source, texts: [text] })),
  )
  return async (text: string, spelling = true) => {
    const { ranked, readings } = await store.searchRanked!({ text, limit: 10, spelling }, BY_KEYWORD)
    return { sources: ranked.map(({ candidate }) => candidate.metadata.source), readings }
  }
}

test('keyword search reads an unknown word as the words of the index that are one typing error away, likely ones first [query:spelling]', async (t) => {
  const search = await storeOfTexts(t)
  assert.deepEqual(await search('recieve'), {
    sources: ['more', 'mail', 'relief'],
    readings: [{ word: 'recieve', readAs: ['receive', 'relieve'] }],
  })
  assert.deepEqual((await search('feryr')).readings, [{ word: 'feryr', readAs: ['ferry'] }])
  assert.deepEqual((await search('Harbuor adress')).readings, [
    { word: 'Harbuor', readAs: ['harbour'] },
    { word: 'adress', readAs: ['address'] },
  ])
  // The word that was typed is not lost: other words of the question count as before.
  assert.deepEqual((await search('recieve a tenant')).sources[0], 'mail')
})

test('keyword search reads no known words, chains, codes, capitals and numbers in another spelling, and none where it is off [query:spelling]', async (t) => {
  const search = await storeOfTexts(t)
  for (const question of [
    'receive the letter',
    'ferries to islands',
    'RECIEVE',
    'RECIEVE_LETTER',
    'recieve.txt',
    'recieve_2',
    'recieve2',
    '1000 adr',
    'xylophone quartet',
  ])
    assert.equal((await search(question)).readings, undefined, question)
  assert.deepEqual(await search('recieve', false), { sources: [], readings: undefined })
  assert.deepEqual(
    (await search('the letter at the harbour')).sources,
    (await search('the letter at the harbour', false)).sources,
  )
})

test('keyword search reads the words of an identifier and letters of another script in another spelling [query:spelling]', async (t) => {
  const search = await storeOfTexts(t, {
    code: 'def receive_letter(address): pass',
    other: 'Nothing of this kind.',
  })
  for (const [question, word, readAs] of [
    ['recieve_letter', 'recieve', 'receive'],
    ['recieveLetter', 'recieve', 'receive'],
    ['sendLetterTo_adress', 'adress', 'address'],
    ['аddrеss', 'аddrеss', 'address'],
  ] as const)
    assert.deepEqual(
      await search(question),
      { sources: ['code'], readings: [{ word, readAs: [readAs] }] },
      question,
    )
})

test('keyword search finds a Persian word with its parts joined, apart or with a half-space, and by the letters of an Arabic keyboard [query:spelling]', async (t) => {
  const search = await storeOfTexts(t, {
    half: 'او نامه می‌نویسد',
    apart: 'کتاب خانه بزرگ',
    other: 'هوا سرد است',
  })
  for (const question of ['می نویسد', 'مینویسد', 'می‌نویسد', 'مي‌نويسد', 'می‌نویشد'])
    assert.deepEqual((await search(question)).sources, ['half'], question)
  for (const question of ['کتاب‌خانه', 'كتاب‌خانه'])
    assert.deepEqual(await search(question), {
      sources: ['apart'],
      readings: [{ word: question, readAs: [question.slice(0, 4), 'خانه'] }],
    })
  assert.deepEqual((await search('می نویسد', false)).sources, [])
})

test('keyword search takes a misspelt stop word for one, not for a word of the question [query:spelling]', async (t) => {
  const search = await storeOfTexts(t, { which: 'It is not known which.', ports: 'The ports of the island' })
  assert.deepEqual(await search('whicch ports are on the island'), {
    sources: ['ports'],
    readings: [{ word: 'whicch', readAs: ['which'] }],
  })
})

test('keyword search reads unknown words in an index of many segments and many words as in one of few [query:spelling]', async (t) => {
  const words = Array.from({ length: 4000 }, (_, i) => `w${i.toString(36).padStart(3, 'q')}x`)
  const filler = Object.fromEntries(
    Array.from({ length: 3000 }, (_, i) => [`filler ${i}`, words.slice(i, i + 12).join(' ')]),
  )
  const search = await storeOfTexts(t, { ...filler, ...TEXTS })
  assert.deepEqual(await search('goverment'), {
    sources: ['more'],
    readings: [{ word: 'goverment', readAs: ['government'] }],
  })
  // At most eight words of a question.
  const typed = [
    'recieve',
    'adress',
    'feryr',
    'harbuor',
    'tenannt',
    'isalnd',
    'goverment',
    'parcles',
    'letetr',
  ]
  assert.equal((await search(typed.join(' '))).readings?.length, 8)
})

test('keyword search of an empty index reads nothing in another spelling', async (t) => {
  const store = builtInStores(temporaryDatabase(t)).open('n')
  assert.deepEqual(await store.search({ text: 'recieve', limit: 10, spelling: true }), [])
})

test('keyword search tells no other spelling of a word that is behind the part of a long question that is searched [query:spelling]', async (t) => {
  const search = await storeOfTexts(t)
  const long = 'ferry to the harbour '.repeat(400)
  assert.ok(long.length > 8192)
  assert.equal((await search(`${long} recieve`)).readings, undefined)
  assert.deepEqual((await search(`recieve ${long}`)).readings, [
    { word: 'recieve', readAs: ['receive', 'relieve'] },
  ])
})
