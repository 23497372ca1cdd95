import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Verification } from '../../contract/data-directory.ts'
import { invisibleNote } from '../../documents/invisible.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { VISIBLE } from '../ledger/visible.ts'
import { Connection } from './connection.ts'
import { contentSteps } from './contents.ts'
import { hasServer } from '../directory.ts'
import { readMarker } from '../marker.ts'
import { isUnreadable } from '../../kit/storage-failure.ts'
import { refuseNewer, SCHEMA_VERSION, schemaOf, schemaVersion } from './migrations.ts'
import { schemaDifferences } from './schema-check.ts'
import { refuseCutShort } from './file-size.ts'
import { refuseReplaced } from './identity.ts'
import { refuseLostLogOfOwner } from './log-check.ts'

/** The most findings that a check lists. */
const NAMED = 20

/**
 * Checks a data directory for damage and contradictions. It only reads: pages of the database, references
 * between rows, counts of chunks against their rows, vectors, postings of the text index, contents against their
 * checksums, uploads of jobs.
 *
 * @throws SluiceError `database_gone` if there is no database, `database_newer`, `data_dir_unusable`
 */
export async function verifyDirectory(directory: string): Promise<Verification[]> {
  const file = path.join(directory, DATA_FILES.database)
  if (!(statSync(file, { throwIfNoEntry: false })?.size ?? 0))
    throw new SluiceError('database_gone', { path: file })
  const running = await hasServer(directory)
  // With a lost log the database stays closed: opening it would change the files that show the loss.
  const lost = running ? undefined : foundBy(() => refuseLostLogOfOwner(directory))
  if (lost) return [{ check: 'log', looked: 1, findings: [lost] }]
  let connection: Connection | undefined
  try {
    refuseCutShort(file)
    connection = new Connection(file, { readOnly: true })
    const open = connection
    refuseReplaced(open, file, readMarker(directory))
    const version = schemaVersion(open)
    refuseNewer(version, file)
    const isOld = version < SCHEMA_VERSION
    const checks: typeof CHECKS = [
      ...CHECKS,
      ['contents', contents],
      ['uploads', (connection) => uploads(connection, directory, running)],
    ]
    return open.snapshot(() =>
      checks.map(([check, look]) =>
        isOld && !OF_EVERY_VERSION.has(check)
          ? {
              check,
              looked: 0,
              findings: [],
              skipped: 'the database has the schema of an earlier version',
              unread: true as const,
            }
          : guarded(check, () => look(open)),
      ),
    )
  } catch (error) {
    if (isFinding(error)) return [{ check: 'database', looked: 1, findings: [error.message] }]
    if (!isUnreadable(error)) throw error
    return [{ check: 'pages', looked: 0, findings: [`the file cannot be read: ${reasonOf(error)}`] }]
  } finally {
    connection?.close()
  }
}

/** The checks that need no table of this version. */
const OF_EVERY_VERSION: ReadonlySet<string> = new Set(['pages', 'references', 'schema'])

const isFinding = (error: unknown): error is SluiceError =>
  error instanceof SluiceError &&
  ['database_log_lost', 'database_replaced', 'database_unusable'].includes(error.code)

/** The message of the finding that a check throws; undefined where it throws none. */
function foundBy(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (isFinding(error)) return error.message
    throw error
  }
}

type Looked = Omit<Verification, 'check'>

/** Runs a check; a page that it cannot read is a finding. */
function guarded(check: string, look: () => Looked): Verification {
  try {
    return { check, ...look() }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return { check, looked: 0, findings: ['the pages that it reads are damaged'] }
  }
}

const count = (connection: Connection, sql: string) =>
  Number(connection.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)!.n)

const texts = (connection: Connection, sql: string): string[] =>
  connection.all(sql).map((row) => String(Object.values(row)[0]))

const CHECKS: readonly [string, (connection: Connection) => Looked][] = [
  [
    'pages',
    (connection) => ({
      looked: Number(connection.get('PRAGMA page_count')!.page_count),
      findings: texts(connection, `PRAGMA integrity_check(${NAMED})`).filter((line) => line !== 'ok'),
    }),
  ],
  [
    'references',
    (connection) => ({
      looked: count(connection, `sqlite_schema WHERE type = 'table'`),
      findings: connection
        .all<{ table: string; parent: string; n: number }>(
          'SELECT "table", parent, count(*) AS n FROM pragma_foreign_key_check GROUP BY 1, 2',
        )
        .map(({ table, parent, n }) => `${n} rows of ${table} refer to rows of ${parent} that are not there`),
    }),
  ],
  ['schema', schema],
  [
    'chunks',
    (connection) => ({
      looked: count(connection, 'chunks'),
      findings: connection
        .all<{ namespace: string; chunks: number; n: number }>(
          `SELECT namespace, chunks, (SELECT count(*) FROM sources JOIN chunks ON source_id = sources.id
             WHERE index_id = indexes.id AND ${VISIBLE}) AS n
           FROM indexes WHERE state IN ('live', 'deleted') AND chunks <> n LIMIT ${NAMED}`,
        )
        .map(({ namespace, chunks, n }) => `${namespace} is counted with ${chunks} chunks and has ${n}`),
    }),
  ],
  ['invisible', invisible],
  [
    'sources',
    (connection) => ({
      looked: count(connection, 'sources'),
      findings: connection
        .all<{ namespace: string; n: number }>(
          `SELECT namespace, count(*) AS n FROM sources JOIN indexes ON indexes.id = index_id
           WHERE state = 'live'
             AND sources.chunks <> (SELECT count(*) FROM chunks WHERE source_id = sources.id AND ${VISIBLE})
           GROUP BY index_id LIMIT ${NAMED}`,
        )
        .map(({ namespace, n }) => `${n} sources of ${namespace} are counted with another number of chunks`),
    }),
  ],
  [
    'vectors',
    (connection) => ({
      looked: count(connection, 'passages'),
      findings: [
        ...connection
          .all<{ namespace: string; n: number }>(
            `SELECT namespace, count(*) AS n FROM passages JOIN indexes ON indexes.id = index_id
             WHERE state <> 'retired' AND engine = 'built-in' AND NOT EXISTS (SELECT 1 FROM vectors WHERE passage_id = passages.id)
             GROUP BY index_id LIMIT ${NAMED}`,
          )
          .map(({ namespace, n }) => `${n} passages of ${namespace} have no vector`),
        ...connection
          .all<{ namespace: string; n: number }>(
            `SELECT namespace, count(*) AS n FROM vectors JOIN passages ON passages.id = passage_id
             JOIN indexes ON indexes.id = index_id
             WHERE state <> 'retired' AND octet_length(vector) <> 4 * dimensions GROUP BY index_id LIMIT ${NAMED}`,
          )
          .map(({ namespace, n }) => `${n} vectors of ${namespace} have another length than its others`),
      ],
    }),
  ],
  [
    'hashes',
    (connection) => ({
      looked: count(connection, 'passage_hashes'),
      findings: connection
        .all<{ passages: number; hashes: number; pairs: number }>(
          `SELECT (SELECT count(*) FROM passages) AS passages, (SELECT count(*) FROM passage_hashes) AS hashes,
             (SELECT count(*) FROM passages CROSS JOIN passage_hashes AS entry ON entry.index_id = passages.index_id
                AND level IN (0, 1, 2) AND entry.hash = passages.hash AND passage_id = passages.id) AS pairs`,
        )
        .filter(({ passages, hashes, pairs }) => passages !== pairs || hashes !== pairs)
        .map(
          ({ passages, hashes, pairs }) =>
            `${pairs} of ${passages} passages are found by their hash, with ${hashes} hashes`,
        ),
    }),
  ],
  [
    'postings',
    (connection) => ({
      looked: count(connection, 'text_segments'),
      findings: connection
        .all<{ namespace: string; n: number; held: number }>(
          `SELECT namespace, (SELECT count(*) FROM passage_hashes WHERE index_id = indexes.id) AS n,
             (SELECT coalesce(sum(passages - gone_count), 0) FROM text_segments WHERE index_id = indexes.id) AS held
           FROM indexes WHERE state <> 'retired' AND engine = 'built-in' AND n <> held LIMIT ${NAMED}`,
        )
        .map(({ namespace, n, held }) => `the text index of ${namespace} holds ${held} passages of ${n}`),
    }),
  ],
]

/** Whether the tables, indexes and triggers are those of the version. */
function schema(connection: Connection): Looked {
  const looked = count(connection, 'sqlite_schema')
  const version = schemaVersion(connection)
  if (schemaOf(version) === undefined)
    return {
      looked,
      findings: [
        `the schema is version ${version}, from before the first release: no version of Sluice opens it`,
      ],
    }
  return { looked, findings: schemaDifferences(connection).slice(0, NAMED) }
}

/** Chunks that no query finds. */
function invisible(connection: Connection): Looked {
  const found = connection.get<{ chunks: number; restorable: number }>(
    `SELECT count(*) AS chunks, count(*) FILTER (WHERE state = 'deleted' OR died = removed_run) AS restorable
     FROM chunks JOIN sources ON sources.id = source_id JOIN indexes ON indexes.id = index_id
     WHERE NOT (state = 'live' AND ${VISIBLE})`,
  )!
  return { looked: found.chunks, findings: [], note: invisibleNote(found) }
}

/** Rows with content that differs from its checksum. */
function contents(connection: Connection): Looked {
  let looked = 0
  const damaged = new Map<string, number>()
  for (const step of contentSteps(connection)) {
    looked += step.rows
    if (step.damaged > 0) damaged.set(step.table, (damaged.get(step.table) ?? 0) + step.damaged)
  }
  const findings = [...damaged].map(([table, rows]) => `${rows} rows of ${table} differ from their checksum`)
  return { looked, findings }
}

/** Folders that no job names, and jobs whose folder is gone. While a server runs, both come and go. */
function uploads(connection: Connection, directory: string, running: boolean): Looked {
  const place = path.join(directory, DATA_FILES.uploads)
  const found = existsSync(place) ? readdirSync(place) : []
  if (running) return { looked: found.length, findings: [], skipped: 'a server runs, so uploads come and go' }
  const needed = new Set(texts(connection, 'SELECT folder FROM jobs WHERE folder IS NOT NULL'))
  const findings = [
    ...found.filter((folder) => !needed.has(folder)).map((folder) => `${folder} belongs to no job`),
    ...[...needed]
      .filter((folder) => !found.includes(folder))
      .map((folder) => `${folder} is gone, and a job needs it`),
  ]
  return { looked: found.length, findings: findings.slice(0, NAMED) }
}
