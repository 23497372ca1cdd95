import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { openPostgres, type PostgresDatabase, type PostgresOptions } from '../../src/db/postgres/database.ts'
import { openOnce } from '../../src/kit/open-once.ts'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** A PostgreSQL server of this test process, with a folder and a port of its own. */
export type PostgresServer = {
  port: number
  /** The folder of its data. */
  folder: string
  /** The address of one of its databases. */
  address(database: string): string
  /** Ends it as a crash would, and starts it again on the same port. */
  crash(): Promise<void>
}

const USER = 'sluice'

/** What makes a server quick and small. Nothing of it is kept, so nothing has to be on the disk. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'shared_buffers=128MB',
  // In its folder: what a killed server leaves in the memory of the machine nobody removes.
  'dynamic_shared_memory_type=mmap',
  'max_connections=100',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
].flatMap((setting) => ['-c', setting])

/** Starts the server of this process at the first call; it ends with the process, also when that is killed. */
export const postgresServer: () => Promise<PostgresServer> = openOnce(() => startServer(findBinaries()))

/** The same for a server that has pgvector. */
export const pgVectorServer: () => Promise<PostgresServer> = openOnce(() => startServer(findPgVector()))

let databases = 0

/** The address of an empty database, which is removed after the test. */
export async function emptyPostgres(t: TestContext): Promise<string> {
  const { address, drop } = await newPostgres()
  t.after(drop)
  return address
}

/** The address of a copy of a database; of an empty one unless given. */
export async function newPostgres(
  template = 'template1',
): Promise<{ address: string; drop(): Promise<unknown> }> {
  const server = await postgresServer()
  const name = `test_${++databases}`
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return {
    address: server.address(name),
    drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** A database with the tables of this program, which is copied for each test: making them takes longer. */
const preparedTemplate = openOnce(async () => {
  const server = await postgresServer()
  await administer(server, 'CREATE DATABASE prepared')
  await (await openPostgres(server.address('prepared'))).close()
})

/** The address of a database with the tables of this program and without rows. */
export async function preparedPostgres(t: TestContext): Promise<string> {
  const { address, drop } = await newPreparedPostgres()
  t.after(drop)
  return address
}

/** The same for a caller that drops it by itself. */
export async function newPreparedPostgres(): Promise<{ address: string; drop(): Promise<unknown> }> {
  await preparedTemplate()
  return newPostgres('prepared')
}

/** An empty database with the tables of this program. */
export async function temporaryPostgres(t: TestContext): Promise<PostgresDatabase> {
  return openedPostgres(t, await preparedPostgres(t))
}

/** A further member of a database; closed after the test. */
export async function openedPostgres(
  t: TestContext,
  address: string,
  options?: PostgresOptions,
): Promise<PostgresDatabase> {
  const database = await openPostgres(address, options)
  t.after(() => database.close())
  return database
}

/** Runs a statement as the owner of the server. */
export async function administer({ address }: PostgresServer, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(address('postgres'))
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Runs a statement with `?` for its values on a database. */
export async function postgresRows<Row extends object>(
  address: string,
  statement: string,
  values: readonly (string | number)[],
): Promise<Row[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    let count = 0
    return (
      await client.query<Row>(
        statement.replaceAll('?', () => `$${++count}`),
        [...values],
      )
    ).rows
  } finally {
    await client.end()
  }
}

async function startServer(binaries: string): Promise<PostgresServer> {
  const account = serverAccount()
  const folder = ownFolder(account)
  const data = path.join(folder, 'data')
  const shared = process.env.SLUICE_TEST_SHARED
  if (shared) {
    const ready = await sharedServer(shared, binaries, account)
    execFileSync('cp', ['-R', ready, data], { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    chmodSync(data, 0o700)
  } else initialise(binaries, data, account)
  const port = await freePort()
  const address = (database: string) => `postgres://${USER}@127.0.0.1:${port}/${database}`
  const run = () => runServer(path.join(binaries, 'postgres'), folder, port, account)
  let kill = await run()
  const crash = async () => {
    await kill()
    kill = await run()
  }
  return { port, folder, address, crash }
}

/** A folder for a server, in memory where there is enough. */
function ownFolder(account: Account | undefined): string {
  const folder = mkdtempSync(path.join(quickFolder(), 'sluice-postgres-'))
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

function initialise(binaries: string, data: string, account: Account | undefined): void {
  // The English locale of ICU orders texts in another way than SQLite does: a query that relies on it fails here.
  const locale = ['--locale-provider=icu', '--icu-locale=en', '--locale=C.UTF-8', '--encoding=UTF8']
  execFileSync(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', USER, '--auth=trust', '--no-sync', ...locale],
    { ...account, cwd: path.dirname(data), stdio: ['ignore', 'ignore', 'pipe'] },
  )
}

/**
 * The data of a server that never ran, to be copied: the first of the processes that share a folder makes it, the others wait.
 * Making it takes four times as long as copying it.
 */
async function sharedServer(shared: string, binaries: string, account: Account | undefined): Promise<string> {
  const home = path.join(
    shared,
    `postgres-${createHash('sha256').update(binaries).digest('hex').slice(0, 12)}`,
  )
  const [data, marker] = [path.join(home, 'data'), path.join(home, 'ready')]
  try {
    mkdirSync(home)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await until(async () => existsSync(marker), 'the data of a server of PostgreSQL')
    return data
  }
  // The account of the server reads it.
  chmodSync(shared, 0o755)
  if (account) chownSync(home, account.uid, account.gid)
  initialise(binaries, data, account)
  writeFileSync(marker, '')
  return data
}

/**
 * Runs the server below a shell that waits for the end of its input. The input ends with this process, however that
 * ends; then the shell stops the server and removes the folder.
 */
async function runServer(program: string, folder: string, port: number, account: Account | undefined) {
  const script = `trap '' INT TERM
    data=$1; shift
    "$@" -D "$data/data" >>"$data/log" 2>&1 </dev/null &
    server=$!
    if read -r _; then kill -QUIT $server; wait $server; exit; fi
    kill -KILL $server; wait $server; rm -rf "$data" || { sleep 1; rm -rf "$data"; }`
  const shell = spawn(
    '/bin/sh',
    ['-c', script, 'postgres-of-tests', folder, program, '-p', String(port), ...SETTINGS],
    { ...account, cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] },
  )
  const ended = once(shell, 'exit')
  // The server alone does not keep the process of the tests running.
  shell.unref()
  const input = shell.stdin as Socket
  input.unref()
  await until(async () => {
    if (shell.exitCode !== null) assert.fail(`PostgreSQL did not start: ${logOf(folder)}`)
    return isReady(port)
  }, 'the start of PostgreSQL')
  return async () => {
    shell.ref()
    input.write('crash\n')
    await ended
  }
}

const logOf = (folder: string) => readFileSync(path.join(folder, 'log'), 'utf8').trim().split('\n').at(-1)

async function isReady(port: number): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * The folder with `initdb` and `postgres`: SLUICE_POSTGRES_BIN, the newest version of this machine, or the one that
 * `tools/provide-pgvector.sh` unpacks, which needs no installation.
 */
export function postgresPrograms(): string | undefined {
  const given = process.env.SLUICE_POSTGRES_BIN
  if (given) return hasServer(given) ? given : undefined
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => path.join(root, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ]
  return folders.find(hasServer) ?? pgVectorPrograms()
}

/** The same for a PostgreSQL that has pgvector. */
export function pgVectorPrograms(): string | undefined {
  const script = path.join(import.meta.dirname, '../../tools/provide-pgvector.sh')
  const folder =
    process.env.SLUICE_TEST_PGVECTOR ?? execFileSync(script, ['--where'], { encoding: 'utf8' }).trim()
  return hasServer(folder) ? folder : undefined
}

const hasServer = (folder: string): boolean => existsSync(path.join(folder, 'initdb'))

export function findBinaries(): string {
  const found = postgresPrograms()
  assert.ok(found, 'PostgreSQL is not installed: tools/provide.sh installs it on Debian')
  return found
}

function findPgVector(): string {
  const found = pgVectorPrograms()
  assert.ok(
    found,
    'PostgreSQL with pgvector is not there: tools/provide-pgvector.sh brings it on Debian; otherwise set SLUICE_TEST_PGVECTOR to the folder with initdb and postgres of one that has pgvector 0.8.4 or newer',
  )
  return found
}

/** A folder in memory where this machine has a large one: a database is 300 files, and each test makes one. */
function quickFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 ** 30 ? memory : tmpdir()
}

export type Account = { uid: number; gid: number }

/**
 * PostgreSQL and PgBouncer refuse to run as root: then they run as the account that their packages have made, or as `nobody` where
 * they are not installed.
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const name = spawnSync('id', ['postgres']).status === 0 ? 'postgres' : 'nobody'
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
