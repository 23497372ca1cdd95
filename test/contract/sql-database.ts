import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { SqlDatabase, SqlSession } from '../../src/db/sql/session.ts'
import { allOf, insertReturning, insertRow, insertEach, updateRow } from '../../src/db/sql/statements.ts'

/** An empty database, and a session of it that may write. */
export type MakeSqlDatabase = (t: TestContext) => Promise<{ database: SqlDatabase; session: SqlSession }>

const variableOf = (id: string, name: string, value = '') => ({
  ...{ id, name, type: 'static', value },
  ...{ created_at: 1, updated_at: 1 },
})

const flowOf = (id: string, updatedAt = 1) => ({
  ...{ id, slug: id, name: id, type: 'CHATFLOW', flow_data: '{}', config: '{}' },
  ...{ created_at: 1, updated_at: updatedAt },
})

/** What the repositories of both databases rely on: the same text of a statement means the same in both. */
export function sqlDatabaseSuite(kind: string, make: MakeSqlDatabase): void {
  const promises = (promise: string, check: (given: Awaited<ReturnType<MakeSqlDatabase>>) => Promise<void>) =>
    void test(`${kind}: a session ${promise}`, async (t) => check(await make(t)))

  promises('takes values by order, by number, and lists of any length', async ({ session }) => {
    await insertEach(
      session,
      'variables',
      [...'abcde'].map((id) => variableOf(id, `?${id}`)),
    )
    const names = async (sql: string, ...values: Parameters<SqlSession['all']>[1][]) =>
      (await session.all<{ id: string }>(sql, ...values)).map(({ id }) => id).join('')
    const all = 'SELECT id FROM variables WHERE'
    assert.equal(await names(`${all} id > ? AND name < ? ORDER BY id`, 'b', '?e'), 'cd')
    assert.equal(await names(`${all} (id = ?1 OR name = ?1) AND type = ?2`, '?d', 'static'), 'd')
    assert.equal(await names(`${all} name = '?a' AND id <> '''?' AND id = ?`, 'a'), 'a')
    assert.equal(await names(`${all} id IN (?) AND name <> ? ORDER BY id`, ['e', 'a', 'x'], '?a'), 'e')
    assert.equal(await names(`${all} id NOT IN (?2) AND id > ?1 ORDER BY id`, 'a', ['b', 'c']), 'de')
    assert.equal(await names(`${all} id IN (?)`, []), '')
    assert.equal(await names(`${all} id NOT IN (?) ORDER BY id`, []), 'abcde')
    assert.equal(await names(`${all} created_at IN (?) ORDER BY id`, [1, 2]), 'abcde')
  })

  promises('says how many rows a statement has changed, and gives the first row', async ({ session }) => {
    assert.equal(await insertRow(session, 'variables', variableOf('1', 'a')), 1)
    assert.equal(await insertRow(session, 'variables', variableOf('2', 'a'), 'ON CONFLICT DO NOTHING'), 0)
    assert.equal(await updateRow(session, 'variables', '1', { value: 'new', updated_at: 2 }), 1)
    assert.equal(await updateRow(session, 'variables', '2', { value: 'new' }), 0)
    const row = await session.get('SELECT value, updated_at FROM variables WHERE id = ?', '1')
    assert.deepEqual({ ...row }, { value: 'new', updated_at: 2 })
    assert.equal(await session.get('SELECT 1 FROM variables WHERE id = ?', '2'), undefined)
    const stored = await insertReturning<{ name: string }>(session, 'variables', variableOf('3', 'c'))
    assert.equal(stored?.name, 'c')
    assert.equal(await session.run('DELETE FROM variables'), 2)
  })

  promises('inserts many rows in their order', async ({ session }) => {
    const rows = Array.from({ length: 450 }, (_, at) => ({
      ...{ at, caller: `c${at}`, key_id: null, method: 'GET', route: '/' },
      ...{ object: null, status: 200, code: null, address: '::1', times: 1 },
    }))
    await insertEach(session, 'audit', rows)
    await insertEach(session, 'audit', [])
    const stored = await session.all<{ at: number }>('SELECT at FROM audit ORDER BY id')
    assert.deepEqual(
      stored.map(({ at }) => at),
      rows.map(({ at }) => at),
    )
  })

  promises('gives texts, numbers, bytes, truth and nothing back as they were stored', async ({ session }) => {
    await insertRow(session, 'flows', flowOf('flow'))
    await insertRow(session, 'chat_messages', {
      ...{ id: 'm', flow_id: 'flow', chat_id: 'c', session_id: 's', owner: null, role: 'userMessage' },
      ...{ answered: true, content: 'L’École 🙂', chat_type: 'INTERNAL', details: '{}', created_at: 2 ** 52 },
    })
    const bytes = new Uint8Array([0, 255, 7])
    await insertRow(session, 'chat_files', {
      ...{ id: 'f', message_id: 'm', name: 'n', mime: 'm', content: bytes },
    })
    const message = await session.get(
      'SELECT owner, content, created_at FROM chat_messages WHERE answered AND NOT (owner IS NOT NULL)',
    )
    assert.deepEqual({ ...message }, { owner: null, content: 'L’École 🙂', created_at: 2 ** 52 })
    const file = await session.get<{ content: Uint8Array }>('SELECT content FROM chat_files')
    assert.deepEqual(file?.content, bytes)
    const deleted = await session.get('SELECT id FROM chat_messages WHERE answered = ?', false)
    assert.equal(deleted, undefined)
  })

  promises('orders texts by their characters, whatever the locale', async ({ session }) => {
    const names = ['b', 'B', 'a', 'A', 'é', '_', 'z', '1']
    await insertEach(
      session,
      'variables',
      names.map((name, at) => variableOf(`${at}`, name)),
    )
    const rows = await session.all<{ name: string }>('SELECT name FROM variables ORDER BY name')
    assert.deepEqual(
      rows.map(({ name }) => name),
      names.toSorted(),
    )
  })

  promises('finds a text in either case of each letter, and nothing else', async ({ session }) => {
    const texts = ['L’École', 'l’école', 'ECOLE', '100%', '100x', 'a_b', 'axb', '[ab]*?', 'ΣΟΦΟΣ', 'straße']
    const odd = ['C:\\new', 'x^y$z', '(a|b)+', '{1}.', 'K', 'İ', 'tab\tnew\nline', '***:x', '-]']
    await insertEach(
      session,
      'variables',
      [...texts, ...odd].map((text, at) => variableOf(`${at}`, `${at}`, text)),
    )
    const found = async (search: string) => {
      const { where, values } = allOf(session.dialect.contains('value', search))
      const rows = await session.all<{ value: string }>(
        `SELECT value FROM variables WHERE ${where} ORDER BY created_at, value`,
        ...values,
      )
      return new Set(rows.map(({ value }) => value))
    }
    const expected: [search: string, ...texts: string[]][] = [
      ['école', 'L’École', 'l’école'],
      ['ÉCOLE', 'L’École', 'l’école'],
      ['ecole', 'ECOLE'],
      ['100%', '100%'],
      ['A_B', 'a_b'],
      ['[AB]*?', '[ab]*?'],
      ['σοφο', 'ΣΟΦΟΣ'],
      ['STRASSE'],
      ['straß', 'straße'],
      ['\\N', 'C:\\new'],
      ['^y$', 'x^y$z'],
      ['(a|b)+', '(a|b)+'],
      ['}.', '{1}.'],
      ['İ', 'İ'],
      ['\tNEW\n', 'tab\tnew\nline'],
      ['***:', '***:x'],
      ['-]', '-]'],
    ]
    for (const [search, ...wanted] of expected)
      assert.deepEqual(await found(search), new Set(wanted), `search for ${search}`)
    assert.equal((await found('')).size, texts.length + odd.length)
  })

  promises('tells which unique index has refused a row', async ({ session }) => {
    await insertRow(session, 'variables', variableOf('1', 'a'))
    const byName = { index: 'variables_by_name', columns: 'variables.name' }
    const { dialect } = session
    await assert.rejects(insertRow(session, 'variables', variableOf('2', 'a')), (error) =>
      dialect.isDuplicate(error, byName),
    )
    await assert.rejects(
      insertRow(session, 'variables', variableOf('1', 'b')),
      (error) => !dialect.isDuplicate(error, byName),
    )
    await assert.rejects(session.run('SELECT * FROM nowhere'), (error) => !dialect.isDuplicate(error, byName))
    await assert.rejects(updateRow(session, 'nowhere', '1', { a: 1 }))
  })

  promises('has what both write differently: numbers, JSON, locks', async ({ session }) => {
    const { dialect } = session
    await insertRow(session, 'flows', { ...flowOf('flow', 5), config: '{"n":3,"list":["x","y\\u0000"]}' })
    const row = await session.get<Record<string, unknown>>(
      `SELECT ${dialect.greatest('updated_at', 'CAST(? AS bigint)')} AS later,
         CAST(${dialect.json('config')} ->> 'n' AS bigint) AS n, ${dialect.json('config')} ->> 'none' AS none
       FROM flows WHERE id = 'flow' ${dialect.forUpdate}`,
      9,
    )
    assert.deepEqual({ ...row }, { later: 9, n: 3, none: null })
    const items = await session.all<{ value: string }>(
      `SELECT ${dialect.name === 'sqlite' ? 'item.value' : `item.value #>> '{}'`} AS value
       FROM flows, ${dialect.jsonItems(`${dialect.json('config')} -> 'list'`, 'item')} ORDER BY item.key`,
    )
    assert.deepEqual([items.length, items[0]?.value], [2, 'x'])
    const lengthOf = `SELECT ${dialect.jsonLength(`'[1,2,3]'`)} AS n`
    assert.equal((await session.get<{ n: number }>(lengthOf))?.n, 3)
    if (dialect.lockName !== undefined) await session.run(dialect.lockName, 'any name')
    await session.get(`SELECT 1 FROM flows ${dialect.forShare}`)
  })

  test(`${kind}: a snapshot sees one state, two at once too, while others read and write`, async (t) => {
    const { database, session } = await make(t)
    const count = async (reader: SqlSession) =>
      (await reader.get<{ n: number }>('SELECT count(*) AS n FROM variables'))!.n
    await insertRow(session, 'variables', variableOf('1', 'a'))
    const twice = (): Promise<[number, number]> =>
      database.snapshot(async (reader) => [await count(reader), await count(reader)])
    const answers = await Promise.all([
      twice(),
      count(database.reader),
      twice(),
      insertRow(session, 'variables', variableOf('2', 'b')),
      twice(),
    ])
    for (const answer of [answers[0], answers[2], answers[4]]) assert.equal(answer[0], answer[1])
    assert.deepEqual(await twice(), [2, 2])
    assert.equal(await count(database.reader), 2)
    await assert.rejects(
      database.snapshot(async (reader) => {
        await count(reader)
        throw new Error('given up')
      }),
      /given up/,
    )
    await insertRow(session, 'variables', variableOf('3', 'c'))
    assert.deepEqual(await twice(), [3, 3])
  })
}
