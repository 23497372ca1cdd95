import assert from 'node:assert/strict'
import { type MakeRepositories, promisesOf } from './repositories.ts'

const FILES = `INSERT INTO sources (index_id, name, updated_at, bytes, original)
  SELECT id, name, 1, bytes, original FROM indexes, (
    SELECT 'a' AS name, 10 AS bytes, 'file-1' AS original UNION ALL SELECT 'b', 20, 'file-2'
    UNION ALL SELECT 'c', 40, NULL UNION ALL SELECT 'd', 5, 'file-2') AS files`

/** What every store of kept files promises; run by each implementation. */
export function originalStoreSuite(name: string, make: MakeRepositories): void {
  const promises = promisesOf(`${name}: the OriginalStore`, make)

  promises(
    'knows the files that documents name, and those that none names any more',
    async ({ originals, sql }) => {
      assert.equal(await originals.bytes(), 0)
      await sql(`INSERT INTO indexes (namespace, embedder, created_at) VALUES ('space', 'e', 1)`)
      await sql(FILES)
      assert.equal(await originals.bytes(), 35)
      assert.deepEqual(await originals.named(['file-1', 'file-2', 'file-3']), new Set(['file-1', 'file-2']))
      assert.deepEqual(await originals.named([]), new Set())
      assert.deepEqual(await originals.gone(), [])

      // One document gets a new file, another keeps its own, and of two with one file only one goes.
      await sql(`UPDATE sources SET original = 'file-4' WHERE name = 'a'`)
      await sql(`UPDATE sources SET original = 'file-2', updated_at = 2 WHERE name = 'b'`)
      await sql(`DELETE FROM sources WHERE name = 'd'`)
      assert.deepEqual(await originals.gone(), ['file-1'])
      await sql(`DELETE FROM indexes`)
      assert.deepEqual((await originals.gone()).sort(), ['file-1', 'file-2', 'file-4'])
      await originals.remove(['file-1', 'file-4', 'none'])
      assert.deepEqual(await originals.gone(), ['file-2'])
      assert.equal(await originals.bytes(), 0)
    },
  )
}
