import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryData } from '../../../test/support/store.ts'
import { catchUpText } from './text-backlog.ts'
import { Connection } from './connection.ts'
import { abandonOpenRuns, openRun } from './indexes.ts'
import { isBehind, textIndex } from './text-index.ts'
import { searchText } from './text-search.ts'
import { segmentsOf } from './text-segments.ts'

/** A data directory as version 0.1 left it: passages whose words only SQLite's own text index knows. */
async function earlierData(t: Parameters<typeof temporaryData>[0], passages: number) {
  const { open } = temporaryData(t)
  const database = open()
  const { index } = await database.write(openRun, { namespace: 'n', embedder: 'e', now: 1 })
  // Of an open run nothing is searched.
  await database.write(abandonOpenRuns, undefined)
  const connection = new Connection(database.file)
  t.after(() => connection.close())
  connection.exec(
    `CREATE VIRTUAL TABLE text_index_${index.id} USING fts5(content, content = '', contentless_delete = 1)`,
  )
  connection.transaction(() => {
    for (let id = 1; id <= passages; id++)
      connection.run(
        'INSERT INTO passages (id, index_id, hash, content) VALUES (?, ?, ?, ?)',
        id,
        index.id,
        `h${id}`,
        `heron ${id}`,
      )
    connection.run('INSERT INTO text_backlog VALUES (?, 0, ?)', index.id, passages)
  })
  return { database, connection, indexId: index.id }
}

test('catchUpText() takes the passages of an earlier version in, step by step, and drops its table', async (t) => {
  const { database, connection, indexId } = await earlierData(t, 1200)
  const found = () => [...searchText(connection, indexId, 'heron')].length
  const steps: number[] = []
  while (await database.write(catchUpText, undefined)) steps.push(found())
  assert.deepEqual(steps, [500, 1000, 1200, 1200])
  assert.equal(isBehind(connection, indexId), false)
  assert.deepEqual(
    [...searchText(connection, indexId, '777')].map(({ id }) => id),
    [777],
  )
  assert.deepEqual(connection.all(`SELECT name FROM sqlite_schema WHERE name LIKE 'text_index%'`), [])
  assert.equal(await database.write(catchUpText, undefined), false)
})

test('catchUpText() leaves out what was removed meanwhile, and comes before what was added', async (t) => {
  const { database, connection, indexId } = await earlierData(t, 600)
  await database.write(catchUpText, undefined)
  connection.transaction(() => {
    const writer = textIndex.writer(connection, indexId)
    writer.add(textIndex.freeId(connection), 'otter')
    writer.end()
    textIndex.remove(connection, indexId, [400, 550])
    connection.run('DELETE FROM passages WHERE id IN (400, 550)')
    assert.equal(textIndex.tend(connection, indexId), false)
  })
  while (await database.write(catchUpText, undefined));
  assert.equal([...searchText(connection, indexId, 'heron')].length, 598)
  assert.deepEqual(
    [...searchText(connection, indexId, 'otter')].map(({ id }) => id),
    [601],
  )
  const firsts = segmentsOf(connection, indexId).map(({ ids }) => ids.idAt(0))
  assert.deepEqual(firsts, [1, 501, 601])
})
