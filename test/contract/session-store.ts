import assert from 'node:assert/strict'
import type { SessionRow } from '../../src/contract/session-store.ts'
import { type MakeRepositories, promisesOf } from './repositories.ts'

const hash = (number: number) => new Uint8Array(32).fill(number)

const session = (id: string, changes: Partial<SessionRow> = {}): SessionRow => ({
  id,
  tokenHash: hash(id.charCodeAt(0)),
  previousHash: null,
  keyId: `key of ${id}`,
  createdAt: 1000,
  usedAt: 1000,
  rotatedAt: 1000,
  confirmedAt: 1000,
  ...changes,
})

/** What every store of sessions promises; run by each implementation. */
export function sessionStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the SessionStore`, make)

  promises('gives a code to one of several calls, before it expires', async ({ sessions }) => {
    await sessions.insertCode(hash(1), 2000)
    const taken = await Promise.all([1, 2, 3].map(() => sessions.takeCode(hash(1), 1999)))
    assert.deepEqual(taken.toSorted(), [false, false, true])
    await sessions.insertCode(hash(2), 2000)
    assert.equal(await sessions.takeCode(hash(2), 2000), false)
    assert.equal(await sessions.takeCode(hash(3), 0), false)
  })

  promises('finds a session by its id, its current and its previous token', async ({ sessions }) => {
    await sessions.insert(session('a'))
    assert.deepEqual(await sessions.find('a'), session('a'))
    assert.equal(await sessions.find('b'), undefined)
    assert.deepEqual(await sessions.findByHash(hash(97)), session('a'))
    assert.equal(await sessions.rotate(session('a'), hash(97), hash(5), 3000), true)
    const rotated = { tokenHash: hash(5), previousHash: hash(97), rotatedAt: 3000, confirmedAt: null }
    for (const token of [5, 97])
      assert.deepEqual(await sessions.findByHash(hash(token)), session('a', rotated))
    assert.equal(await sessions.findByHash(hash(6)), undefined)
  })

  promises('lets one of several rotations win that saw the same session', async ({ sessions }) => {
    const first = session('a')
    await sessions.insert(first)
    const rotated = await Promise.all(
      [5, 6].map((token) => sessions.rotate(first, hash(97), hash(token), 3000)),
    )
    assert.deepEqual(rotated.toSorted(), [false, true])
    const [won, lost] = rotated[0] ? [5, 6] : [6, 5]
    assert.equal(await sessions.findByHash(hash(lost!)), undefined)
    assert.equal(await sessions.rotate(session('b'), hash(98), hash(7), 3000), false)
    const second = (await sessions.findByHash(hash(won!)))!
    assert.equal(await sessions.rotate(second, hash(97), hash(8), 4000), true)
    assert.equal(await sessions.findByHash(hash(won!)), undefined)
    await sessions.confirm('a', 5000)
    await sessions.confirm('a', 7000)
    assert.equal((await sessions.findByHash(hash(8)))?.confirmedAt, 5000)
  })

  promises('removes one session, expired ones, and all with their codes', async ({ sessions }) => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await sessions.insert(session(id))
    await sessions.noteUse('b', 5000)
    await sessions.noteUse('c', 5000)
    await sessions.noteUse('d', 5000)
    await sessions.remove('b')
    await sessions.insertCode(hash(1), 9000)
    await sessions.insertCode(hash(2), 10_000)
    await sessions.removeExpired({ createdAt: 1000, usedAt: 5000, now: 9000 })
    const found = async (id: string) => (await sessions.findByHash(hash(id.charCodeAt(0))))?.usedAt
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(found)), [
      undefined,
      undefined,
      5000,
      5000,
      undefined,
    ])
    assert.equal(await sessions.takeCode(hash(1), 0), false)
    assert.equal(await sessions.removeAll(), 2)
    assert.equal(await sessions.takeCode(hash(2), 0), false)
    assert.equal(await found('c'), undefined)
  })
}
