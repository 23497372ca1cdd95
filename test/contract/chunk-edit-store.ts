import assert from 'node:assert/strict'
import { type MakeRepositories, promisesOf } from './repositories.ts'

/** What every store of edits promises; run by each implementation. They are written with publications: `test/api/chunk-edits.test.ts`. */
export function chunkEditStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the ChunkEditStore`, make)

  promises(
    'lists the edits of a namespace, the newest last, and removes one',
    async ({ chunkEdits, sql }) => {
      const row = (space: string, id: string, at: number, content: string) =>
        sql(`INSERT INTO chunk_edits (namespace, id, source, flow_id, hash, ordinal, original, content, metadata, result_hash, edited_at, aside_at)
           VALUES ('${space}', '${id}', 'a.txt', 'flow', 'h', 0, 'Was.', ${content}, NULL, NULL, ${at}, NULL)`)
      await row('space', 'two', 20, 'NULL')
      await row('space', 'one', 10, `'Is.'`)
      await row('other', 'one', 10, 'NULL')
      const rest = {
        source: 'a.txt',
        flowId: 'flow',
        hash: 'h',
        ordinal: 0,
        original: 'Was.',
        metadata: null,
      }
      assert.deepEqual(await chunkEdits.list('space'), [
        { ...rest, id: 'one', content: 'Is.', resultHash: null, editedAt: 10, asideAt: null },
        { ...rest, id: 'two', content: null, resultHash: null, editedAt: 20, asideAt: null },
      ])
      assert.equal(await chunkEdits.remove('space', 'one'), true)
      assert.equal(await chunkEdits.remove('space', 'one'), false)
      assert.deepEqual(
        (await chunkEdits.list('space')).map(({ id }) => id),
        ['two'],
      )
      assert.equal((await chunkEdits.list('other')).length, 1)
    },
  )
}
