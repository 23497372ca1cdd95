import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { openOnce } from '../../src/kit/open-once.ts'
import { readApi } from '../../src/openapi/read/operations.ts'
import { corpusApis } from '../support/openapi/corpus.ts'
import { type Tally, tallyApi } from '../support/openapi/tally.ts'

const corpus = process.env.SLUICE_CORPUS

if (corpus === undefined) {
  test('real descriptions become tools', { skip: 'SLUICE_CORPUS is not set' })
} else {
  const { apis, others } = corpusApis(path.join(corpus, 'openapi'))
  /** Reading them takes longest, so it is done once. */
  const tallies = openOnce(async () => {
    const all: Tally[] = []
    for (const api of apis) all.push(await tallyApi(api))
    return all
  })

  test('readApi() turns 99 of 100 operations of real descriptions into tools with valid calls', async (t) => {
    let operations = 0
    const refused: string[] = []
    const required: string[] = []
    const full: string[] = []
    for (const tally of await tallies()) {
      operations += tally.operations
      refused.push(...tally.refused)
      required.push(...tally.wrong.required)
      full.push(...tally.wrong.full)
    }
    t.diagnostic(`${apis.length} descriptions, ${operations} operations, ${refused.length} refused`)
    t.diagnostic(
      `calls that are not valid: ${required.length} with what is required, ${full.length} with everything`,
    )
    assert.ok(operations > 3000, `the corpus holds ${operations} operations`)
    for (const wrong of [refused, required, full])
      assert.ok(wrong.length <= operations / 100, wrong.slice(0, 20).join('\n'))
  })

  test('readApi() gives tools names that providers take, each once', async () => {
    for (const { file, names } of await tallies()) {
      assert.equal(new Set(names).size, names.length, file)
      for (const name of names) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/, file)
    }
  })

  test('readApi() refuses every other file as no description', () => {
    assert.ok(others.length > 0)
    for (const { file, link, texts } of others)
      assert.throws(() => readApi(texts, { link }), /it is not an OpenAPI description/, file)
  })
}
