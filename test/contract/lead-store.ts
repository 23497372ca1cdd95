import assert from 'node:assert/strict'
import type { LeadRow } from '../../src/contract/lead-store.ts'
import { insertFlows, type MakeRepositories, promisesOf } from './repositories.ts'

const leadRow = (id: string, changes: Partial<LeadRow> = {}): LeadRow => ({
  id,
  flowId: 'flow',
  chatId: 'chat',
  name: 'Zoë',
  email: 'zoe@example.org',
  phone: '+1',
  createdAt: 1,
  ...changes,
})

/** What every store of leads promises; run by each implementation. */
export function leadStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the LeadStore`, make)

  promises('lists the leads of a flow, the oldest first, with every field', async (repositories) => {
    const { leads } = repositories
    await insertFlows(repositories, 'flow', 'other')
    const rows = [
      leadRow('b', { createdAt: 2, name: null, email: null, phone: null }),
      leadRow('a', { createdAt: 3 }),
      leadRow('c'),
    ]
    for (const row of rows) await leads.add(row)
    await leads.add(leadRow('d', { flowId: 'other' }))
    assert.deepEqual(await leads.list('flow'), [rows[2], rows[0], rows[1]])
    assert.deepEqual(await leads.list('none'), [])
  })

  promises('removes the leads of all flows that are older than a time', async (repositories) => {
    const { leads } = repositories
    await insertFlows(repositories, 'flow', 'other')
    for (const [id, flowId, createdAt] of [
      ['a', 'flow', 1],
      ['b', 'flow', 2],
      ['c', 'other', 1],
      ['d', 'flow', 3],
    ] as const)
      await leads.add(leadRow(id, { flowId, createdAt }))
    assert.equal(await leads.removeBefore(2), 2)
    assert.deepEqual(
      (await leads.list('flow')).map(({ id }) => id),
      ['b', 'd'],
    )
    assert.deepEqual(await leads.list('other'), [])
    assert.equal(await leads.removeBefore(2), 0)
  })
}
