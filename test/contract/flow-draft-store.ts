import assert from 'node:assert/strict'
import type { FlowDraftSave } from '../../src/contract/flow-draft-store.ts'
import { REVISION_LIMITS } from '../../src/contract/flow-store.ts'
import { flowRow, insertFlows, type MakeRepositories, promisesOf } from './repositories.ts'

const drawn = (n: number) => `{"nodes":[],"edges":[],"note":"“${n}”"}`

const save = (flowId: string, changes: Partial<FlowDraftSave> = {}): FlowDraftSave => ({
  flowId,
  base: 1,
  flowData: drawn(1),
  savedAt: 1_700_000_000_000,
  savedBy: 'me',
  ...changes,
})

/** What every store of drafts promises; run by each implementation. */
export function flowDraftStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the FlowDraftStore`, make)

  promises('keeps one draft of a flow, with every field, and the flow stays as it is', async (stores) => {
    await insertFlows(stores, 'a', 'b')
    const { flowDrafts, flows } = stores
    assert.equal(await flowDrafts.find('a'), undefined)
    const { ifNumber: _, ...first } = { ...save('a'), number: 1, stale: false }
    assert.deepEqual(await flowDrafts.save(save('a')), first)
    const second = { ...first, number: 2, flowData: drawn(2), savedBy: 'you', savedAt: 9 }
    assert.deepEqual(
      await flowDrafts.save(save('a', { flowData: drawn(2), savedBy: 'you', savedAt: 9 })),
      second,
    )
    assert.deepEqual(await flowDrafts.find('a'), second)
    assert.equal(await flowDrafts.find('b'), undefined)
    assert.deepEqual(await flows.find('a'), flowRow('a'))
    await assert.rejects(flowDrafts.save(save('none')), { code: 'flow_not_found' })
    await assert.rejects(flowDrafts.save(save('b', { base: 2 })), { code: 'revision_not_found' })
  })

  promises('refuses the second of two saves of one draft, and gives no number twice', async (stores) => {
    await insertFlows(stores, 'a')
    const { flowDrafts } = stores
    const saves = await Promise.allSettled(
      [2, 3].map((n) => flowDrafts.save(save('a', { flowData: drawn(n), ifNumber: 0 }))),
    )
    assert.deepEqual(saves.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    await assert.rejects(flowDrafts.save(save('a', { ifNumber: 0 })), {
      code: 'draft_changed',
      facts: { flow: 'a', found: 1, based: 0 },
    })
    await assert.rejects(flowDrafts.remove('a', 7), { code: 'draft_changed' })
    assert.deepEqual([await flowDrafts.remove('a', 1), await flowDrafts.remove('a')], [true, false])
    assert.equal(await flowDrafts.find('a'), undefined)
    await assert.rejects(flowDrafts.save(save('a', { ifNumber: 1 })), { code: 'draft_changed' })
    assert.equal((await flowDrafts.save(save('a', { ifNumber: 0 }))).number, 2)
  })

  promises('publishes a draft as the newest revision, once', async (stores) => {
    await insertFlows(stores, 'a')
    const { flowDrafts, flows } = stores
    const publication = {
      flow: flowRow('a', { flowData: drawn(1), updatedAt: 5 }),
      ...{ number: 1, ifRevision: 1, by: 'me' },
    }
    await assert.rejects(flowDrafts.publish(publication), { code: 'draft_not_found' })
    await flowDrafts.save(save('a'))
    await assert.rejects(flowDrafts.publish({ ...publication, number: 2 }), { code: 'draft_changed' })
    await assert.rejects(flowDrafts.publish({ ...publication, ifRevision: 2 }), { code: 'flow_changed' })
    assert.notEqual(await flowDrafts.find('a'), undefined)
    const live = { ...publication.flow, revision: 2 }
    assert.deepEqual(await flowDrafts.publish(publication), live)
    assert.deepEqual(await flows.find('a'), live)
    assert.equal(await flowDrafts.find('a'), undefined)
    const { rows } = await flows.revisions('a', { offset: 0, limit: 1 })
    assert.partialDeepStrictEqual(rows, [{ number: 2, savedBy: 'me', changes: ['flowData'] }])
    await assert.rejects(flowDrafts.publish(publication), { code: 'draft_not_found' })
  })

  promises(
    'is stale once the live drawing is another, not where only settings were saved',
    async (stores) => {
      await insertFlows(stores, 'a')
      const { flowDrafts, flows } = stores
      await flowDrafts.save(save('a'))
      const named = await flows.update(flowRow('a', { name: 'New' }), { by: 'you' })
      assert.equal((await flowDrafts.find('a'))!.stale, false)
      const drawnAnew = await flows.update({ ...named, flowData: drawn(9) }, { by: 'you' })
      assert.equal((await flowDrafts.find('a'))!.stale, true)
      const publication = { flow: { ...drawnAnew, flowData: drawn(1) }, number: 1, ifRevision: 3, by: 'me' }
      await assert.rejects(flowDrafts.publish(publication), {
        code: 'draft_stale',
        message: /made of revision 1, .* its revision is 3$/,
      })
      assert.equal((await flows.find('a'))!.flowData, drawn(9))
      // Merged: it is made of the live revision now.
      assert.equal((await flowDrafts.save(save('a', { base: 3 }))).stale, false)
      await flowDrafts.publish({ ...publication, number: 2 })
      assert.equal((await flows.find('a'))!.flowData, drawn(1))
    },
  )

  promises('keeps the revision of which a draft was made', async (stores) => {
    await insertFlows(stores, 'a')
    const { flowDrafts, flows } = stores
    await flowDrafts.save(save('a'))
    let row = flowRow('a')
    const rename = async () => {
      row = await flows.update({ ...row, name: `Name ${row.revision}` }, { by: 'you' })
    }
    for (let n = 0; n < REVISION_LIMITS.count + 2; n++) await rename()
    assert.notEqual(await flows.revision('a', 1), undefined)
    assert.equal(await flows.revision('a', 2), undefined)
    assert.equal((await flowDrafts.find('a'))!.stale, false)
    await flowDrafts.remove('a')
    await rename()
    assert.equal(await flows.revision('a', 1), undefined)
  })

  promises('comes back with a restored flow, and goes with a removed one', async (stores) => {
    await insertFlows(stores, 'a')
    const { flowDrafts, flows } = stores
    const draft = await flowDrafts.save(save('a'))
    await flows.delete({ id: 'a', namespaces: [], own: [], now: 5 })
    await assert.rejects(flowDrafts.save(save('a')), { code: 'flow_not_found' })
    await flows.restore('a')
    assert.deepEqual(await flowDrafts.find('a'), draft)
    await flows.remove('a')
    assert.equal(await flowDrafts.find('a'), undefined)
  })
}
