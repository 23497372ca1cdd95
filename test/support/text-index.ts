import type { TestContext } from 'node:test'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openRun } from '../../src/db/ledger/indexes.ts'
import { textIndex } from '../../src/db/sqlite/text-index.ts'
import { temporaryDatabase } from './store.ts'

/** An index without anything in it, and a connection that writes. */
export async function emptyTextIndex(t: TestContext) {
  const database = temporaryDatabase(t)
  const { index } = await database.sql.write(openRun, {
    namespace: 'n',
    embedder: 'e',
    engine: 'built-in',
    now: 1,
  })
  const connection = new Connection(database.file)
  // What an open run stages is not searched.
  connection.run("UPDATE runs SET state = 'published'")
  t.after(() => connection.close())
  return { connection, indexId: index.id, file: database.file }
}

/** Writes passages as one segment. */
export function writePassages(
  connection: Connection,
  indexId: number,
  passages: Iterable<[id: number, text: string]>,
): void {
  connection.transaction(() => {
    const writer = textIndex.writer(connection, indexId)
    for (const [id, text] of passages) writer.add(id, text)
    writer.end()
  })
}
