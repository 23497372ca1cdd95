import assert from 'node:assert/strict'
import type { HistoryRow } from '../../src/contract/history-store.ts'
import { insertFlows, type MakeRepositories, promisesOf } from './repositories.ts'

const historyRow = (id: string, date: number, flowId = 'flow'): HistoryRow => ({
  id,
  flowId,
  result: { numAdded: 3, nested: { list: [1, null] } },
  flowData: [{ name: 'textFile' }],
  date,
  jobId: `job of ${id}`,
})

/** What every store of past upserts promises; run by each implementation. */
export function historyStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the HistoryStore`, make)

  promises('lists the rows of a flow by date, either way, within a range', async (repositories) => {
    const { history } = repositories
    await insertFlows(repositories, 'flow', 'other')
    for (const [id, date] of [
      ['b', 20],
      ['a', 10],
      ['c', 30],
    ] as const)
      await history.add(historyRow(id, date))
    await history.add(historyRow('d', 20, 'other'))
    const ids = async (options?: Parameters<typeof history.list>[1]) =>
      (await history.list('flow', options)).map(({ id }) => id).join('')
    assert.equal(await ids(), 'cba')
    assert.equal(await ids({ ascending: true }), 'abc')
    assert.equal(await ids({ from: 20 }), 'cb')
    assert.equal(await ids({ to: 20 }), 'ba')
    assert.equal(await ids({ from: 11, to: 19 }), '')
    assert.deepEqual(await history.list('other'), [historyRow('d', 20, 'other')])
  })

  promises('removes all the rows that are named, or none where one is missing', async (repositories) => {
    const { history } = repositories
    await insertFlows(repositories, 'flow')
    for (const id of ['a', 'b', 'c']) await history.add(historyRow(id, 1))
    await assert.rejects(history.remove(['a', 'none']), { code: 'history_not_found', facts: { id: 'none' } })
    assert.equal((await history.list('flow')).length, 3)
    await history.remove(['a', 'c'])
    assert.deepEqual(await history.list('flow'), [historyRow('b', 1)])
    await history.remove([])
  })
}
