import assert from 'node:assert/strict'
import type { AuditEntry } from '../../src/contract/audit-store.ts'
import { type MakeRepositories, promisesOf } from './repositories.ts'

const change: AuditEntry = {
  at: 1_000_000,
  caller: 'ops',
  keyId: 'k1',
  method: 'PUT',
  route: '/api/v1/chatflows/:id',
  object: 'f1',
  status: 200,
  code: null,
  address: '127.0.0.1',
}
const refusal: AuditEntry = { ...change, caller: 'no key', keyId: null, status: 401, code: 'unauthorized' }

/** What every audit log promises; run by each implementation. */
export function auditStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the AuditStore`, make)

  promises(
    'writes changes one by one and equal refusals as one row, and tells them apart [audit:log]',
    async ({ audit }) => {
      audit.note(change)
      for (let times = 0; times < 50; times++) audit.note(refusal)
      audit.note({ ...change, at: 1_000_001 })
      await audit.flush()
      const list = async (kind?: 'change' | 'read' | 'refusal') =>
        (await audit.list({ kind, offset: 0, limit: 100 })).rows.map(({ caller, times }) => [caller, times])
      assert.deepEqual(await list('change'), [
        ['ops', 1],
        ['ops', 1],
      ])
      assert.deepEqual(await list('refusal'), [['no key', 50]])
      assert.deepEqual(await list('read'), [])
      assert.equal((await list()).length, 3)
    },
  )

  promises('lists HEAD calls as reads, not as changes [audit:log]', async ({ audit }) => {
    audit.note({ ...change, method: 'HEAD' })
    await audit.flush()
    const total = async (kind: 'change' | 'read') => (await audit.list({ kind, offset: 0, limit: 1 })).total
    assert.deepEqual([await total('read'), await total('change')], [1, 0])
  })

  promises(
    'makes one row of refusals that differ too much, and counts them all [audit:log]',
    async ({ audit }) => {
      for (let times = 0; times < 5000; times++) audit.note({ ...refusal, object: `f${times}` })
      await audit.flush()
      const { rows, total } = await audit.list({ offset: 0, limit: 1000 })
      assert.equal(total, 101)
      assert.equal(
        rows.reduce((sum, { times }) => sum + times, 0),
        5000,
      )
    },
  )

  promises(
    'keeps 10,000 refusals and no row for ever, and drops no change for refusals [audit:log]',
    async ({ audit }) => {
      const day = 86_400_000
      audit.note({ ...change, object: 'long ago', at: 0 })
      for (let round = 0; round < 120; round++) {
        for (let one = 0; one < 100; one++)
          audit.note({ ...refusal, at: 100 * day, object: `${round}-${one}` })
        await audit.flush()
      }
      const count = async (kind: 'change' | 'refusal') =>
        (await audit.list({ kind, offset: 0, limit: 1 })).total
      const refusals = await count('refusal')
      assert.ok(refusals <= 10_100, String(refusals))
      assert.equal(await count('change'), 1)
      for (let one = 0; one < 200; one++) audit.note({ ...change, at: 200 * day })
      await audit.flush()
      assert.equal(await count('change'), 200)
    },
  )
}
