import { invisibleNote } from '../../documents/invisible.ts'
import type { Verification } from '../../contract/data-directory.ts'
import { fingerprint } from '../../kit/hash.ts'
import { VISIBLE } from '../ledger/visible.ts'
import { openPostgres, type PostgresDatabase } from './database.ts'
import type { SqlSession, SqlValue } from './session.ts'

/** The most findings that a check lists. */
const NAMED = 20

/** How long one statement may take, in milliseconds. */
const STATEMENT_MS = 30 * 60_000

/** How many texts one read brings. */
const TEXTS_A_READ = 1000

type Looked = Omit<Verification, 'check'>

const count = async (sql: SqlSession, table: string): Promise<number> =>
  (await sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n

/** One finding a row of a query. */
async function findings<Row extends object>(
  sql: SqlSession,
  query: string,
  say: (row: Row) => string,
): Promise<string[]> {
  return (await sql.all<Row>(`${query} LIMIT ${NAMED}`)).map(say)
}

type Counted = { namespace: string; n: number }

/** Rows that refer to rows which are not there, where the schema has no foreign key. */
const REFERENCES: readonly { table: string; column: string; parent: string; key: string }[] = [
  { table: 'chunks', column: 'index_id', parent: 'indexes', key: 'id' },
  { table: 'chunks', column: 'source_id', parent: 'sources', key: 'id' },
  { table: 'chunks', column: 'passage_id', parent: 'passages', key: 'id' },
  { table: 'chunks', column: 'born', parent: 'runs', key: 'seq' },
  { table: 'passages', column: 'index_id', parent: 'indexes', key: 'id' },
  { table: 'vectors', column: 'passage_id', parent: 'passages', key: 'id' },
]

async function references(sql: SqlSession): Promise<Looked> {
  const found: string[] = []
  for (const { table, column, parent, key } of REFERENCES) {
    const row = await sql.get<{ n: number }>(
      `SELECT count(*) AS n FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM ${parent} WHERE ${parent}.${key} = ${table}.${column})`,
    )
    if (row!.n > 0) found.push(`${row!.n} rows of ${table} refer to rows of ${parent} that are not there`)
  }
  return { looked: REFERENCES.length, findings: found }
}

/** A namespace has one open run at most, and the index of a run is the one of its chunks. */
const runs = async (sql: SqlSession): Promise<Looked> => ({
  looked: await count(sql, 'runs'),
  findings: [
    ...(await findings<Counted>(
      sql,
      `SELECT namespace, count(*) AS n FROM runs JOIN indexes ON indexes.id = index_id
       WHERE runs.state = 'open' GROUP BY indexes.id HAVING count(*) > 1`,
      ({ namespace, n }) => `${namespace} has ${n} open runs`,
    )),
    ...(await findings<Counted>(
      sql,
      `SELECT namespace, count(*) AS n FROM chunks JOIN runs ON seq = born JOIN indexes ON indexes.id = chunks.index_id
       WHERE runs.index_id <> chunks.index_id GROUP BY indexes.id`,
      ({ namespace, n }) => `${n} chunks of ${namespace} are of a run of another index`,
    )),
    ...(await findings<Counted>(
      sql,
      `SELECT namespace, count(*) AS n FROM chunks JOIN sources ON sources.id = source_id
         JOIN indexes ON indexes.id = chunks.index_id
       WHERE sources.index_id <> chunks.index_id GROUP BY indexes.id`,
      ({ namespace, n }) => `${n} chunks of ${namespace} are of a source of another index`,
    )),
  ],
})

const chunks = async (sql: SqlSession): Promise<Looked> => ({
  looked: await count(sql, 'chunks'),
  findings: await findings<Counted & { chunks: number }>(
    sql,
    `SELECT namespace, chunks, coalesce(n, 0) AS n FROM indexes LEFT JOIN
       (SELECT index_id, count(*) AS n FROM chunks WHERE ${VISIBLE} GROUP BY index_id) AS found ON index_id = indexes.id
     WHERE state IN ('live', 'deleted') AND chunks <> coalesce(n, 0)`,
    ({ namespace, chunks, n }) => `${namespace} is counted with ${chunks} chunks and has ${n}`,
  ),
})

/** Chunks that no query finds. */
async function invisible(sql: SqlSession): Promise<Looked> {
  const found = await sql.get<{ chunks: number; restorable: number }>(
    `SELECT count(*) AS chunks, count(*) FILTER (WHERE state = 'deleted' OR died = removed_run) AS restorable
     FROM chunks JOIN sources ON sources.id = chunks.source_id JOIN indexes ON indexes.id = chunks.index_id
     WHERE NOT (state = 'live' AND ${VISIBLE})`,
  )
  return { looked: found!.chunks, findings: [], note: invisibleNote(found!) }
}

const sources = async (sql: SqlSession): Promise<Looked> => ({
  looked: await count(sql, 'sources'),
  findings: await findings<Counted>(
    sql,
    `SELECT namespace, count(*) AS n FROM sources JOIN indexes ON indexes.id = sources.index_id LEFT JOIN
       (SELECT source_id, count(*) AS n FROM chunks WHERE ${VISIBLE} GROUP BY source_id) AS found ON source_id = sources.id
     WHERE state = 'live' AND sources.chunks <> coalesce(found.n, 0) GROUP BY indexes.id`,
    ({ namespace, n }) => `${n} sources of ${namespace} are counted with another number of chunks`,
  ),
})

const vectors = async (sql: SqlSession): Promise<Looked> => ({
  looked: await count(sql, 'passages'),
  findings: [
    ...(await findings<Counted>(
      sql,
      `SELECT namespace, count(*) AS n FROM passages JOIN indexes ON indexes.id = index_id
       WHERE state <> 'retired' AND engine = 'built-in'
         AND NOT EXISTS (SELECT 1 FROM vectors WHERE passage_id = passages.id) GROUP BY indexes.id`,
      ({ namespace, n }) => `${n} passages of ${namespace} have no vector`,
    )),
    ...(await findings<Counted>(
      sql,
      `SELECT namespace, count(*) AS n FROM vectors JOIN passages ON passages.id = passage_id
         JOIN indexes ON indexes.id = index_id
       WHERE state <> 'retired' AND octet_length(vector) <> 4 * dimensions GROUP BY indexes.id`,
      ({ namespace, n }) => `${n} vectors of ${namespace} have another length than its others`,
    )),
  ],
})

/** Compares texts with the hashes that are stored beside them. */
async function texts(sql: SqlSession, table: string, hash: string, text: string): Promise<Looked> {
  let [looked, damaged]: [number, number] = [0, 0]
  for (let after: SqlValue = 0; ; ) {
    const rows: { id: number; hash: string; text: string }[] = await sql.all(
      `SELECT id, ${hash} AS hash, ${text} AS text FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${TEXTS_A_READ}`,
      after,
    )
    if (rows.length === 0) break
    looked += rows.length
    damaged += rows.filter((row) => fingerprint(row.text) !== row.hash).length
    after = rows.at(-1)!.id
  }
  return {
    looked,
    findings: damaged > 0 ? [`${damaged} rows of ${table} have a text that differs from its hash`] : [],
  }
}

const CHECKS: readonly [string, (sql: SqlSession) => Promise<Looked>][] = [
  ['references', references],
  ['runs', runs],
  ['chunks', chunks],
  ['invisible', invisible],
  ['sources', sources],
  ['vectors', vectors],
  ['texts', (sql) => texts(sql, 'passages', 'hash', 'content')],
  ['metadata', (sql) => texts(sql, 'chunks', 'metadata_hash', 'metadata')],
]

/**
 * Checks a PostgreSQL database for contradictions: references between rows, counts of chunks against their rows, vectors, texts and
 * metadata against their hashes. It only reads, in one snapshot, so members may go on.
 *
 * @throws SluiceError as `openPostgres`
 */
export async function verifyPostgres(address: string): Promise<Verification[]> {
  const database = await openPostgres(address, { program: 'sluice-verify' })
  try {
    return await inSnapshot(database, async (sql) => {
      const done: Verification[] = []
      for (const [check, look] of CHECKS) done.push({ check, ...(await look(sql)) })
      return done
    })
  } finally {
    await database.close()
  }
}

const inSnapshot = <T>(
  { transaction }: PostgresDatabase,
  work: (sql: SqlSession) => Promise<T>,
): Promise<T> => transaction(work, { isolation: 'REPEATABLE READ', repeatable: true, limitMs: STATEMENT_MS })
