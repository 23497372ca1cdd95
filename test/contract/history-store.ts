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

  promises('finds a row by its id or by its job, and counts those of a flow', async (repositories) => {
    const { history } = repositories
    await insertFlows(repositories, 'flow', 'other')
    for (const [id, date] of [
      ['a', 10],
      ['b', 20],
      ['c', 30],
    ] as const)
      await history.add(historyRow(id, date))
    await history.add(historyRow('d', 20, 'other'))
    assert.deepEqual(await history.find('b'), historyRow('b', 20))
    assert.deepEqual(await history.find('job of d'), historyRow('d', 20, 'other'))
    assert.equal(await history.find('none'), undefined)
    const counts = [{}, { from: 20 }, { to: 20 }, { from: 11, to: 19 }]
    assert.deepEqual(await Promise.all(counts.map((range) => history.count('flow', range))), [3, 2, 2, 0])
    assert.equal(await history.count('none'), 0)
  })

  promises('pages a flow without a gap, rows of one moment too', async (repositories) => {
    const { history } = repositories
    await insertFlows(repositories, 'flow')
    for (const id of ['c', 'a', 'b', 'd']) await history.add(historyRow(id, 10))
    const page = async (offset: number) =>
      (await history.list('flow', { offset, limit: 2 })).map(({ id }) => id).join('')
    assert.deepEqual([await page(0), await page(2), await page(4)], ['ab', 'cd', ''])
  })

  promises(
    'gives the newest sizes of stores, the oldest first, of one flow and of all',
    async (repositories) => {
      const { history } = repositories
      await insertFlows(repositories, 'flow', 'other')
      const sized = (id: string, date: number, flow: string, totalKeys?: number) =>
        history.add({ ...historyRow(id, date, flow), result: totalKeys === undefined ? {} : { totalKeys } })
      await sized('a', 10, 'flow', 5)
      await sized('b', 20, 'other', 7)
      await sized('c', 30, 'flow')
      await sized('d', 40, 'flow', 9)
      const [a, b, d] = [
        { flow: 'flow', date: 10, chunks: 5 },
        { flow: 'other', date: 20, chunks: 7 },
        { flow: 'flow', date: 40, chunks: 9 },
      ]
      const sizes = async (flow: string | undefined, limit: number) =>
        (await history.sizes(flow, limit)).map((row) => ({ ...row }))
      assert.deepEqual(await sizes(undefined, 9), [a, b, d])
      assert.deepEqual(await sizes(undefined, 2), [b, d])
      assert.deepEqual(await sizes('flow', 9), [a, d])
      assert.deepEqual(await sizes('none', 9), [])
    },
  )

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
