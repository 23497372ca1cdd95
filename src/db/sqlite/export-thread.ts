import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import type { ExportedIndex, ExportTask } from './export-index.ts'
import { lastJobOf } from './replica-reads.ts'
import { imageRecord } from './vector-images.ts'

/** The rows of an index in each table, of the database `source`; `?1` is its id. */
const ROWS: Readonly<Record<string, string>> = {
  indexes: 'FROM source.indexes AS t WHERE id = ?1',
  runs: 'FROM source.runs AS t WHERE index_id = ?1',
  sources: 'FROM source.sources AS t WHERE index_id = ?1',
  passages: 'FROM source.passages AS t WHERE index_id = ?1',
  passage_hashes: 'FROM source.passage_hashes AS t WHERE index_id = ?1',
  vectors:
    'FROM source.passages AS p CROSS JOIN source.vectors AS t ON passage_id = p.id WHERE p.index_id = ?1',
  chunks:
    'FROM source.chunks AS t WHERE source_id IN (SELECT id FROM source.sources WHERE index_id = ?1) ORDER BY id',
  text_segments: 'FROM source.text_segments AS t WHERE index_id = ?1',
  text_segment_bodies:
    'FROM source.text_segments AS s CROSS JOIN source.text_segment_bodies AS t ON segment_id = s.id WHERE s.index_id = ?1',
  text_pages:
    'FROM source.text_segments AS s CROSS JOIN source.text_pages AS t ON segment_id = s.id WHERE s.index_id = ?1',
  value_blocks: 'FROM source.value_blocks AS t WHERE index_id = ?1',
  value_columns:
    'FROM source.value_blocks AS b CROSS JOIN source.value_columns AS t ON block_id = b.id WHERE b.index_id = ?1',
  vector_images: 'FROM source.vector_images AS t WHERE index_id = ?1 AND token IS NOT NULL',
  gone_passages:
    'FROM source.gone_passages AS t WHERE index_id = ?1 AND EXISTS (SELECT 1 FROM main.vector_images)',
}

const { source, target, namespace } = workerData as ExportTask
const connection = new Connection(target)
parentPort!.postMessage(exported() ?? null)
connection.close()

/** Undefined where nothing was exported. */
function exported(): ExportedIndex | undefined {
  // The file is used when it is whole. A log would be a second file.
  connection.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE')
  connection.exec('PRAGMA foreign_keys = OFF; PRAGMA cache_size = -64000')
  connection.run('ATTACH ? AS source', source)
  return connection.transaction(() => {
    const index = connection.get<{ id: number; open: number }>(
      `SELECT id, EXISTS (SELECT 1 FROM source.runs WHERE index_id = indexes.id AND state <> 'published') AS open
       FROM source.indexes WHERE namespace = ? AND state = 'live'`,
      namespace,
    )
    if (!index || index.open) return undefined
    for (const [table, rows] of Object.entries(ROWS)) copy(table, rows, index.id)
    const job = lastJobOf(connection, index.id)
    return job === undefined
      ? undefined
      : { job, index: index.id, image: imageRecord(connection, index.id)?.token }
  })
}

/** An index of a table is made when the table is full: that takes a fraction of the time. */
function copy(table: string, rows: string, indexId: number): void {
  const indexes = connection.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
    table,
  )
  for (const { name } of indexes) connection.exec(`DROP INDEX main.${name}`)
  const columns = connection
    .all<{ name: string }>(`SELECT name FROM pragma_table_info(?, 'main')`, table)
    .map(({ name }) => `"${name}"`)
  const from = columns.map((column) => `t.${column}`).join(', ')
  connection.run(`INSERT INTO main.${table} (${columns.join(', ')}) SELECT ${from} ${rows}`, indexId)
  for (const { sql } of indexes) connection.exec(sql)
}
