import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SETTING_KINDS } from '../kit/setting-kinds.ts'
import { embeddingPrice } from './embedding-price.ts'

test('embeddingPrice() finds the price of a model in the id of its embedder', () => {
  const prices = SETTING_KINDS.prices.read('text-embedding-3-small=0.02, voyage-3=0.06 EUR', '')
  const openai = 'openai/text-embedding-3-small at https://api.openai.com/v1 dimensions 256'
  assert.deepEqual(embeddingPrice(prices, openai, 1_000_000), { amount: 0.02, currency: 'USD' })
  assert.deepEqual(embeddingPrice(prices, 'voyage/voyage-3 at https://a.b/v1', 500_000), {
    amount: 0.03,
    currency: 'EUR',
  })
  assert.equal(embeddingPrice(prices, 'openai/text-embedding-3-large at https://a.b', 9), null)
  for (const wrong of ['a', 'a=', 'a=x', 'a=1 eur'])
    assert.throws(() => SETTING_KINDS.prices.read(wrong, ''), /^Error: expected MODEL=AMOUNT CURRENCY/)
})
