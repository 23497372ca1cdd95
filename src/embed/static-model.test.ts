import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadBuiltInModel } from './builtin.ts'
import { unitVector } from './static-model.ts'

type Case = {
  name: string
  text: string
  repeat?: number
  tokenCount: number
  tokens: number[]
  first8: number[]
  vector?: number[]
}

const model = await loadBuiltInModel()
const fixtures = new URL('../../test/fixtures/model-vectors.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(fixtures, 'utf8')) as { cases: Case[] }

for (const { name, text, repeat = 1, tokenCount, tokens, first8, vector } of cases) {
  test(`StaticModel gives the published tokens and vector: ${name}`, () => {
    const whole = text.repeat(repeat)
    const ids = model.tokens(whole)
    assert.equal(ids.length, tokenCount)
    assert.deepEqual(ids.slice(0, 200), tokens)
    const embedded = model.embed(whole)
    const expected = vector ?? first8
    assert.ok(expected.length === 256 || expected.length === 8)
    for (const [place, number] of expected.entries())
      assert.ok(Math.abs(embedded[place]! - number) <= 1e-6, `component ${place}`)
  })
}

test('StaticModel.addTo adds the sections of a text to the sums of the whole', () => {
  const texts = ['The invoice ', 'is paid ', 'within thirty days.\n']
  const sums = new Float64Array(model.dimensions)
  for (const text of texts) model.addTo(sums, text.repeat(3000))
  const whole = texts.map((text) => text.repeat(3000)).join('')
  assert.deepEqual(unitVector(sums), model.embed(whole))
})

test('StaticModel.embed gives vectors of length 1, or zeros without a known token', () => {
  const length = (text: string) => Math.hypot(...model.embed(text))
  assert.ok(Math.abs(length('a heading and its section') - 1) < 1e-6)
  assert.equal(length(' \n…—'), 0)
})
