import { Connection } from '../../src/db/sqlite/connection.ts'
import { textIndex } from '../../src/db/sqlite/text-index.ts'

/** Merges the segments of a text index as the writing thread does, and reports each step; it is killed meanwhile. */
const [file, indexId] = process.argv.slice(2) as [string, string]
const connection = new Connection(file)
for (let step = 1; connection.transaction(() => textIndex.tend(connection, Number(indexId))); step++)
  process.send!(step)
connection.close()
process.disconnect()
