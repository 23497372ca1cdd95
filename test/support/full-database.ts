import type { CopyType } from '../../src/db/postgres/copy-rows.ts'
import { MOVED_TABLES, typesOf } from '../../src/db/move/moved-tables.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { openDatabase } from '../../src/db/sqlite/database.ts'
import { openSecretKey } from '../../src/db/sqlite/secret-key.ts'
import { fingerprint } from '../../src/kit/hash.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { sealCredential } from '../../src/db/rows/credential.ts'
import { builtInStores } from '../../src/stores/built-in.ts'
import { hashVector } from './hash-embedder.ts'
import { publishChunks } from './publish-chunks.ts'

/** The tables of the ledger are filled by runs. */
const OF_LEDGER = [
  'indexes',
  'runs',
  'sources',
  'files',
  'passages',
  'vectors',
  'chunks',
  'settings',
  'load_settings',
]

/** How many rows each other table gets. */
const ROWS = 7

const WORDS = ['ferry', 'harbour', 'tide', 'anchor', 'mast', 'sail', 'compass', 'lantern', 'rope', 'gull']

/** A text of five words that is different for each number. */
export const textOf = (n: number): string =>
  `${[n, n >> 3, n >> 6, n * 7, n * 3].map((one) => WORDS[one % WORDS.length]).join(' ')} ${n}`

/**
 * Makes a data directory with rows in every table: texts that SQLite and PostgreSQL order or store differently, empty values,
 * removed chunks, an open run, a running job. All of it is what a stopped server could have left.
 */
export async function fillDirectory(directory: string, chunks: number): Promise<void> {
  const database = openDatabase(directory)
  const stores = builtInStores(database)
  const secret = await openSecretKey(database, directory, undefined)
  const documents = Array.from({ length: chunks }, (_, n) => ({
    source: `folder/${n % 40} é.md`,
    text: textOf(n),
    metadata: { page: n % 9, tenant: n % 2 ? 'acme' : 'globex', 'list of': [n, null] },
    vector: hashVector(textOf(n)),
  }))
  await publishChunks(stores.open('harbour'), 'e', documents)
  await publishChunks(stores.open('other'), 'e', documents.slice(0, 50))
  await stores.open('harbour').remove({ source: 'folder/3 é.md', restorableUntil: 4e12 })
  // A process that was killed: its run is open.
  const open = await stores.open('harbour').open('e')
  const [late, metadata] = ['a late text', '{}']
  await open.stage(
    [{ source: 'late', hash: fingerprint(late), text: late, metadata, metadataHash: fingerprint(metadata) }],
    new Float32Array(8),
    8,
  )
  await stores.close()
  await database.close()
  const connection = new Connection(database.file)
  fillTables(connection, secret)
  connection.close()
}

/** Fills every table that is moved, except for those of the ledger. @throws Error that names a table whose columns need values of their own */
export function fillTables(connection: Connection, secret: string): void {
  connection.transaction(() => {
    connection.run(
      `INSERT INTO files SELECT index_id, name, 'fingerprint of ' || name, chunks FROM sources WHERE id % 3 = 0`,
    )
    connection.run(`INSERT INTO load_settings SELECT id, 'hash', '{"flow":"é"}' FROM indexes`)
    connection.run(`UPDATE sources SET dropped = '[{"kind":"picture","count":2}]' WHERE id % 3 = 0`)
    connection.run(`UPDATE sources SET gaps = '{"characters":9,"gaps":[],"repeats":[]}' WHERE id % 3 = 1`)
    connection.run(`UPDATE sources SET settings = 'hash', request = '{"addMetadata":{}}' WHERE id % 2 = 0`)
    for (const table of MOVED_TABLES.filter(({ name }) => !OF_LEDGER.includes(name)))
      for (let n = 0; n < ROWS; n++) {
        const columns = typesOf(table)
        const names = columns.map(([name]) => name)
        const values = columns.map(
          ([name, type]) =>
            special(table.name, name, n, secret) ?? plainValue(type, `${table.name}.${name}`, n),
        )
        const row = values.map((value) => (value === NULL ? null : value))
        try {
          connection.run(
            `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
            ...row,
          )
        } catch (error) {
          const what = `a row of ${table.name} needs other values: name them in special() of test/support/full-database.ts`
          throw new Error(what, { cause: error })
        }
      }
  })
}

const NULL = Symbol('null')

/** Texts that the languages of PostgreSQL order in another way than bytes do. */
const AWKWARD = ['a', 'B', 'ä', 'Z', '_', '😀', '\ufffd']

const plainValue = (type: CopyType, column: string, n: number): string | number | Uint8Array =>
  type === 'text'
    ? `${AWKWARD[n]} ${column}\n"\\N"\t${n}`
    : type === 'bytea'
      ? Uint8Array.of(n, 255, 0, ...Buffer.from(column))
      : type === 'boolean'
        ? n % 2
        : type === 'text[]'
          ? JSON.stringify([`${AWKWARD[n]}"{},\\`, ''].slice(n % 3))
          : n === 0
            ? 2 ** 31 - 1
            : n

function special(
  table: string,
  column: string,
  n: number,
  secret: string,
): string | number | Uint8Array | typeof NULL | undefined {
  const known: Record<string, string | number | typeof NULL> = {
    flow_id: `${AWKWARD[n]} flows.id\n"\\N"\t${n}`,
    root_flow_id: `${AWKWARD[n]} flows.id\n"\\N"\t${n}`,
    message_id: `${AWKWARD[n]} chat_messages.id\n"\\N"\t${n}`,
    question_id: `${AWKWARD[n]} chat_messages.id\n"\\N"\t${n}`,
    role: n % 2 ? 'userMessage' : 'apiMessage',
    'variables.type': n % 2 ? 'static' : 'runtime',
    'jobs.state': ['queued', 'running', 'done', 'failed', 'cancelled'][n % 5]!,
    config: '{}',
    'flows.deleted_at': n < 4 ? NULL : n,
    'flows.deleted_namespaces': n < 4 ? NULL : JSON.stringify([`${AWKWARD[n]}"{},\\`, '']),
    'chat_messages.owner': n % 2 ? NULL : 'owner',
    'chat_claims.owner': n % 2 ? NULL : 'owner',
    'jobs.repeat_scope': n % 2 ? NULL : `scope ${n}`,
    'jobs.finished_at': n % 5 < 2 ? NULL : n,
    'jobs.progress': NULL,
    // SQLite stores this character, PostgreSQL does not.
    'chat_messages.content': `before\0after ${n}`,
  }
  if (table === 'credentials' && column === 'sealed')
    return sealCredential(createSecretBox(secret), `${AWKWARD[n]} credentials.id\n"\\N"\t${n}`, {
      key: `k${n}`,
    })
  if (table === 'jobs' && column === 'request') return createSecretBox(secret).seal(`{"request":${n}}`)
  return known[`${table}.${column}`] ?? known[column]
}
