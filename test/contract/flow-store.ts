import assert from 'node:assert/strict'
import { flowRow, type MakeRepositories, promisesOf } from './repositories.ts'

/** What every store of flows promises; run by each implementation. */
export function flowStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the FlowStore`, make)

  promises('is empty at first', async ({ flows }) => {
    assert.deepEqual(await flows.list(), { rows: [], total: 0 })
    assert.equal(await flows.find('none'), undefined)
    assert.deepEqual(await flows.boundTo('none'), [])
    assert.equal(await flows.remove('none'), false)
  })

  promises('finds a flow by its id and by its slug, with every field', async ({ flows }) => {
    const row = flowRow('1', {
      slug: 'ours',
      name: 'Ünïcode 漢字',
      type: 'AGENTFLOW',
      config: { category: 'x', chatbotConfig: { nested: [1, null, 'é'] } },
      apiKeyId: 'key',
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_000_001,
    })
    assert.deepEqual(await flows.insert(row), row)
    assert.deepEqual(await flows.find('1'), row)
    assert.deepEqual(await flows.find('ours'), row)
  })

  promises('prefers the flow of an id to the flow of an equal slug', async ({ flows }) => {
    await flows.insert(flowRow('1', { slug: '2' }))
    await flows.insert(flowRow('2', { slug: 'two' }))
    assert.equal((await flows.find('2'))?.id, '2')
  })

  promises('refuses a taken slug, or numbers it where asked', async ({ flows }) => {
    await flows.insert(flowRow('1', { slug: 'ours' }))
    await assert.rejects(flows.insert(flowRow('2', { slug: 'ours' })), {
      code: 'slug_taken',
      status: 409,
      facts: { slug: 'ours' },
    })
    assert.equal(await flows.find('2'), undefined)
    const slugs: string[] = []
    for (const id of ['2', '3'])
      slugs.push((await flows.insert(flowRow(id, { slug: 'ours' }), { makeUnique: true })).slug)
    assert.deepEqual(slugs, ['ours-2', 'ours-3'])
    assert.equal((await flows.find('ours-3'))?.id, '3')
  })

  promises('updates a flow, and refuses the slug of another one', async ({ flows }) => {
    const row = await flows.insert(flowRow('1'))
    await flows.insert(flowRow('2'))
    const changed = { ...row, slug: 'new', name: 'New', flowData: '{}', config: { a: 1 }, apiKeyId: 'key' }
    await flows.update({ ...changed, updatedAt: 5 })
    assert.deepEqual(await flows.find('1'), { ...changed, updatedAt: 5 })
    await flows.update({ ...changed, updatedAt: 6 })
    await assert.rejects(flows.update({ ...changed, slug: '2' }), { code: 'slug_taken' })
    assert.equal((await flows.find('1'))?.slug, 'new')
  })

  promises('lists pages, the one changed last first, by type', async ({ flows }) => {
    for (const [id, updatedAt, type] of [
      ['a', 2, 'CHATFLOW'],
      ['b', 3, 'AGENTFLOW'],
      ['c', 1, 'CHATFLOW'],
      ['d', 4, 'CHATFLOW'],
    ] as const)
      await flows.insert(flowRow(id, { updatedAt, type }))
    const page = async (asked?: Parameters<typeof flows.list>[0]) => {
      const { rows, total } = await flows.list(asked)
      return `${rows.map(({ id }) => id).join('')} of ${total}`
    }
    assert.equal(await page(), 'dbac of 4')
    assert.equal(await page({ offset: 1, limit: 2 }), 'ba of 4')
    assert.equal(await page({ type: 'CHATFLOW' }), 'dac of 3')
    assert.equal(await page({ type: 'CHATFLOW', offset: 2 }), 'c of 3')
    assert.equal(await page({ type: 'ASSISTANT' }), ' of 0')
  })

  promises('names the flows that are bound to an API key', async ({ flows }) => {
    await flows.insert(flowRow('1', { apiKeyId: 'key' }))
    await flows.insert(flowRow('2', { apiKeyId: 'other' }))
    await flows.insert(flowRow('3'))
    const bound = await flows.boundTo('key')
    assert.deepEqual(
      bound.map(({ id }) => id),
      ['1'],
    )
  })

  promises('removes a flow once, with its history and its leads', async (repositories) => {
    const { flows, history, leads } = repositories
    for (const id of ['1', '2']) {
      await flows.insert(flowRow(id))
      await history.add({ id: `history of ${id}`, flowId: id, result: {}, flowData: [], date: 1 })
      const contact = { name: null, email: null, phone: null }
      await leads.add({ id: `lead of ${id}`, flowId: id, chatId: 'c', ...contact, createdAt: 1 })
    }
    assert.deepEqual([await flows.remove('1'), await flows.remove('1')], [true, false])
    assert.equal(await flows.find('1'), undefined)
    assert.deepEqual(await history.list('1'), [])
    assert.deepEqual(await leads.list('1'), [])
    assert.deepEqual([(await history.list('2')).length, (await leads.list('2')).length], [1, 1])
  })
}
