import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JsonObject } from '../../src/kit/json.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { form, makePlatform } from '../support/platform.ts'

const engine = await startScriptedEngine(searchProtocol('opensearch'))
after(() => engine.close())
const platform = await makePlatform()
const { body: credential } = await platform.manage<{ id: string }>('POST', '/api/v1/credentials', {
  ...{ name: 'for the tests', credentialName: 'openSearchUrl' },
  plainDataObj: { openSearchUrl: engine.url, user: 'admin', password: 'a-password' },
})

const drawing = (store: JsonObject) =>
  drawFlow({
    ...{ name: 'Kept', storeNode: 'openSearch' },
    store: { indexName: 'kept', credential: credential.id, ...store },
  })

type Warned = { warnings: { key: string; reason: string }[] }

test('an upsert and a dry run warn where the index keeps what the node has otherwise now, until a reindex makes it anew [engines:kept]', async () => {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', drawing({ shards: 2 }))
  assert.equal(made.status, 200, made.text)
  const { id } = made.body
  const warnings = async (name: string, how = '') => {
    const files = form({ [name]: `The ${name} stands.` })
    const { status, body, text } = await platform.manage<Warned>(
      'POST',
      `/api/v1/vector/upsert/${id}${how}`,
      files,
    )
    assert.equal(status, 200, text)
    return body.warnings
  }
  assert.deepEqual(await warnings('heron'), [])
  assert.deepEqual(await warnings('gull'), [])

  const changed = await platform.manage(
    'PUT',
    `/api/v1/chatflows/${id}`,
    drawing({ shards: 3, vectors: 'int8' }),
  )
  assert.equal(changed.status, 200, changed.text)
  const stays = 'and stays so, though the node says'
  const expected = [
    {
      key: 'shards',
      reason: `the index was made with 2 ${stays} 3: a reindex of the flow makes it anew`,
    },
    {
      key: 'vectors',
      reason: `the index was made with full ${stays} int8: a reindex of the flow makes it anew`,
    },
  ]
  assert.deepEqual(await warnings('otter', '?dryRun=true'), expected)
  assert.deepEqual(await warnings('otter'), expected)

  const ask = async () => assert.equal((await platform.query(id, { query: 'an animal' })).status, 200)
  // Each server looks once where the index is.
  for (let time = 0; time < 4; time++) await ask()
  const calls = engine.calls.length
  for (let time = 0; time < 2; time++) await ask()
  const asked = engine.calls.slice(calls).filter(({ method }) => method === 'GET')
  assert.deepEqual(asked, [], 'a question asks for nothing of it')

  assert.equal((await platform.manage('POST', `/api/v1/vector/reindex/${id}`)).status, 200)
  assert.deepEqual(await warnings('crab'), [])
})
