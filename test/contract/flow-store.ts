import assert from 'node:assert/strict'
import { REVISION_LIMITS } from '../../src/contract/flow-store.ts'
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
    const saved = { ...changed, updatedAt: 5, revision: 2 }
    assert.deepEqual(await flows.update({ ...changed, updatedAt: 5 }, { by: 'me' }), saved)
    assert.deepEqual(await flows.find('1'), saved)
    // Without a change nothing is saved.
    assert.deepEqual(await flows.update({ ...changed, updatedAt: 6 }, { by: 'me' }), saved)
    await assert.rejects(flows.update({ ...changed, slug: '2' }, { by: 'me' }), { code: 'slug_taken' })
    await assert.rejects(flows.update({ ...changed, id: 'none' }, { by: 'me' }), { code: 'flow_not_found' })
    assert.equal((await flows.find('1'))?.slug, 'new')
  })

  promises('keeps each save as a revision, with its author and the changed fields', async ({ flows }) => {
    const row = await flows.insert(flowRow('1', { config: { category: 'x' } }), { by: 'ops' })
    const second = await flows.update(
      { ...row, name: 'New', config: { apiConfig: { a: 1 } }, updatedAt: 2 },
      { by: 'me' },
    )
    const third = await flows.update(
      { ...second, slug: 's', flowData: '{}', type: 'AGENTFLOW', apiKeyId: 'key', updatedAt: 3 },
      { by: 'you' },
    )
    await flows.insert(flowRow('2'))
    const { rows, total } = await flows.revisions('1', { offset: 0, limit: 2 })
    assert.deepEqual(rows, [
      {
        number: 3,
        savedAt: 3,
        savedBy: 'you',
        name: 'New',
        changes: ['slug', 'type', 'flowData', 'apikeyid'],
      },
      { number: 2, savedAt: 2, savedBy: 'me', name: 'New', changes: ['name', 'category', 'apiConfig'] },
    ])
    assert.equal(total, 3)
    const older = await flows.revisions('1', { offset: 2, limit: 9 })
    assert.deepEqual(older.rows, [{ number: 1, savedAt: 1, savedBy: 'ops', name: 'Flow 1', changes: [] }])
    assert.deepEqual((await flows.revision('1', 1))?.flow, row)
    assert.deepEqual((await flows.revision('1', 3))?.flow, third)
    assert.deepEqual((await flows.revision('1', 2))?.revision, rows[1])
    assert.deepEqual([await flows.revision('1', 4), await flows.revision('none', 1)], [undefined, undefined])
    await flows.remove('1')
    assert.equal((await flows.revisions('1', { offset: 0, limit: 9 })).total, 0)
  })

  promises('saves only the revision that a change is based on', async ({ flows }) => {
    const row = await flows.insert(flowRow('1'))
    const saves = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => flows.update({ ...row, name }, { by: name, ifRevision: 1 })),
    )
    const saved = saves.flatMap((save) => (save.status === 'fulfilled' ? save.value.name : []))
    assert.equal(saved.length, 1)
    await assert.rejects(flows.update({ ...row, name: 'd' }, { by: 'd', ifRevision: 1 }), {
      code: 'flow_changed',
      status: 412,
      facts: { flow: '1', found: 2, based: 1 },
    })
    assert.equal((await flows.find('1'))?.name, saved[0])
    assert.equal((await flows.update({ ...row, name: 'd' }, { by: 'd', ifRevision: 2 })).revision, 3)
  })

  promises(
    'removes the oldest revisions beyond their number and their bytes, never the newest',
    async ({ flows }) => {
      let row = await flows.insert(flowRow('1'))
      for (let n = 1; n <= REVISION_LIMITS.count; n++)
        row = await flows.update({ ...row, name: `Name ${n}` }, { by: 'me' })
      const kept = await flows.revisions('1', { offset: REVISION_LIMITS.count - 1, limit: 9 })
      assert.equal(kept.total, REVISION_LIMITS.count)
      assert.deepEqual(
        kept.rows.map(({ number }) => number),
        [2],
      )
      const large = 'x'.repeat(REVISION_LIMITS.bytes * 0.6)
      row = await flows.update({ ...row, flowData: large }, { by: 'me' })
      row = await flows.update({ ...row, flowData: `${large}!` }, { by: 'me' })
      const { rows, total } = await flows.revisions('1', { offset: 0, limit: 9 })
      assert.deepEqual([total, rows[0]?.number], [1, row.revision])
    },
  )

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
      const row = { flowId: id, result: {}, flowData: [], date: 1, jobId: null }
      await history.add({ id: `history of ${id}`, ...row })
      const contact = { name: null, email: null, phone: null }
      await leads.add({ id: `lead of ${id}`, flowId: id, chatId: 'c', ...contact, createdAt: 1 })
    }
    assert.deepEqual([await flows.remove('1'), await flows.remove('1')], [true, false])
    assert.equal(await flows.find('1'), undefined)
    assert.deepEqual(await history.list('1'), [])
    assert.deepEqual(await leads.list('1'), [])
    assert.deepEqual([(await history.list('2')).length, (await leads.list('2')).length], [1, 1])
  })

  promises('hides a deleted flow, and restores it with all that belongs to it', async (repositories) => {
    const { flows, history } = repositories
    const row = await flows.insert(flowRow('1', { slug: 'ours', apiKeyId: 'key', config: { category: 'x' } }))
    await history.add({ id: 'h', flowId: '1', result: {}, flowData: [], date: 1, jobId: null })
    const deletion = { id: '1', namespaces: ['1'], own: ['1'], now: 50 }
    assert.deepEqual(await flows.delete(deletion), [])
    assert.equal(await flows.delete({ ...deletion, id: 'none' }), undefined)
    assert.deepEqual(
      [await flows.find('1'), await flows.find('ours'), await flows.heads(), await flows.boundTo('key')],
      [undefined, undefined, [], []],
    )
    assert.deepEqual(await flows.list(), { rows: [], total: 0 })
    assert.equal(await flows.isTaken('1'), true)
    await assert.rejects(flows.update({ ...row, name: 'New' }, { by: 'me' }), { code: 'flow_not_found' })
    assert.deepEqual(await flows.deleted(), [{ flow: row, deletedAt: 50, chunks: 0, sources: 0, bytes: 0 }])
    assert.deepEqual(await Promise.all(['1', row.slug, 'none'].map((id) => flows.findDeleted(id))), [
      row,
      row,
      undefined,
    ])
    assert.deepEqual(await flows.deletedBefore(50), [])
    assert.deepEqual(await flows.deletedBefore(51), ['1'])
    await flows.insert(flowRow('2', { slug: 'ours' }))
    assert.equal((await flows.find('ours'))?.id, '2')
    await assert.rejects(flows.restore('1'), { code: 'slug_taken', status: 409 })
    assert.deepEqual(await flows.restore('ours', 'again'), { ...row, slug: 'again' })
    await assert.rejects(flows.restore('1'), { code: 'deleted_flow_not_found', status: 404 })
    assert.equal((await history.list('1')).length, 1)
    await flows.delete({ ...deletion, namespaces: [], own: [] })
    assert.equal(await flows.remove('1'), true)
    assert.deepEqual([await flows.deleted(), await flows.isTaken('1')], [[], false])
  })

  promises('hides the chunks of a deleted flow, and brings them back', async ({ flows, sql }) => {
    const row = await flows.insert(flowRow('1'))
    await sql(
      `INSERT INTO indexes (namespace, embedder, chunks, created_at) VALUES ('own', 'e', 3, 1), ('shared', 'e', 5, 1)`,
    )
    await sql(`INSERT INTO sources (index_id, name, updated_at) SELECT id, 'a.txt', 1 FROM indexes`)
    const deletion = { id: '1', namespaces: ['own', 'shared'], own: ['own'], now: 50 }
    const hidden = await flows.delete(deletion)
    assert.equal(hidden?.length, 1)
    assert.deepEqual(await flows.delete(deletion), [])
    const [deleted] = await flows.deleted()
    assert.deepEqual([deleted?.chunks, deleted?.sources], [3, 1])
    assert.ok(deleted!.bytes > 0)

    // A job that was still running has made the namespace again; the second call removes it.
    await sql(`INSERT INTO indexes (namespace, embedder, chunks, created_at) VALUES ('own', 'e', 9, 1)`)
    await flows.delete(deletion)
    assert.deepEqual(await flows.restore('1'), row)
    assert.deepEqual(await flows.delete({ ...deletion, now: 60 }), hidden)

    await sql(`INSERT INTO indexes (namespace, embedder, chunks, created_at) VALUES ('own', 'e', 1, 1)`)
    await assert.rejects(flows.restore('1'), {
      code: 'namespace_taken',
      facts: { namespace: 'own', flow: '1' },
    })
    assert.deepEqual(
      (await flows.deleted()).map(({ chunks }) => chunks),
      [3],
    )
  })

  promises('leaves hidden chunks to another deleted flow that used them, too', async ({ flows, sql }) => {
    await flows.insert(flowRow('first'))
    await flows.insert(flowRow('last'))
    await sql(`INSERT INTO indexes (namespace, embedder, chunks, created_at) VALUES ('both', 'e', 4, 1)`)
    await flows.delete({ id: 'first', namespaces: ['both'], own: [], now: 10 })
    await flows.delete({ id: 'last', namespaces: ['both'], own: ['both'], now: 20 })
    const chunks = async () => (await flows.deleted()).map(({ flow, chunks: count }) => [flow.id, count])
    assert.deepEqual(await chunks(), [
      ['last', 4],
      ['first', 0],
    ])
    await flows.remove('last')
    assert.deepEqual(await chunks(), [['first', 4]])
    await flows.restore('first')
    await flows.insert(flowRow('next'))
    const next = await flows.delete({ id: 'first', namespaces: ['both'], own: ['both'], now: 30 })
    assert.equal(next?.length, 1)
  })

  promises('lists flows without their drawings, with the last row of the history', async (repositories) => {
    const { flows, history } = repositories
    await flows.insert(flowRow('1', { config: { category: 'x' }, updatedAt: 2 }))
    await flows.insert(flowRow('2'))
    for (const date of [1, 3, 2])
      await history.add({
        id: `${date}`,
        jobId: null,
        flowId: '1',
        result: date === 3 ? { error: { code: 'c', message: 'm' } } : {},
        flowData: [],
        date,
      })
    const { flowData: _, config: __, ...head } = flowRow('1', { updatedAt: 2 })
    const lastUpsert = {
      ...{ jobId: null, state: 'failed', at: 3, failed: 0, empty: 0 },
      error: { code: 'c', message: 'm' },
    }
    const [first, second] = await flows.heads()
    assert.deepEqual(first, { ...head, category: 'x', lastUpsert })
    assert.partialDeepStrictEqual(second, { id: '2', category: null, lastUpsert: null })

    const result = { numFailed: 8, numEmpty: 3 }
    await history.add({ id: '4', jobId: null, flowId: '2', result, flowData: [], date: 4 })
    const counted = (await flows.heads()).find(({ id }) => id === '2')
    assert.partialDeepStrictEqual(counted?.lastUpsert, { state: 'done', failed: 8, empty: 3 })
  })
}
