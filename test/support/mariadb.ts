import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createConnection, type Connection } from 'mysql2'
import { openOnce } from '../../src/kit/open-once.ts'
import { freePort } from './free-port.ts'
import { serverAccount } from './postgres.ts'
import { until } from './until.ts'

const SERVER = '/usr/sbin/mariadbd'
const SYSTEM_TABLES = '/usr/share/mysql'

/** The program of the server; undefined where it is not there. */
export const mariadbPath = (): string | undefined =>
  existsSync(SERVER) && existsSync(SYSTEM_TABLES) ? SERVER : undefined

export type MariaDb = {
  port: number
  /** Runs statements as the owner of the server, in the database `test`. */
  run(...statements: string[]): Promise<void>
}

/** Starts the server of this process at the first call; it ends with the process. */
export const mariadbServer: () => Promise<MariaDb> = openOnce(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-mariadb-'))
  const account = serverAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  const data = path.join(folder, 'data')
  mkdirSync(path.join(data, 'mysql'), { recursive: true })
  if (account) for (const one of [data, path.join(data, 'mysql')]) chownSync(one, account.uid, account.gid)
  const made = spawnSync(
    SERVER,
    ['--no-defaults', '--bootstrap', `--datadir=${data}`, `--tmpdir=${folder}`, '--loose-skip-ndbcluster'],
    {
      ...account,
      cwd: folder,
      encoding: 'utf8',
      input: tablesOfTheSystem(),
    },
  )
  if (made.status !== 0) throw new Error(`no database: ${made.error ?? ''}${made.stderr}${made.stdout}`)
  const port = await freePort()
  const child = spawn(
    SERVER,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--tmpdir=${folder}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${path.join(folder, 's')}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--max-allowed-packet=256M',
      '--innodb-log-file-size=512M',
    ],
    { ...account, cwd: folder, stdio: 'ignore' },
  )
  process.once('exit', () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  child.unref()
  const owner = () => createConnection({ host: '127.0.0.1', port, user: 'root', multipleStatements: false })
  await until(async () => {
    if (child.exitCode !== null) throw new Error('MariaDB ended while it started')
    const connection = owner()
    try {
      await connected(connection)
      await ask(connection, 'CREATE DATABASE IF NOT EXISTS test')
      return true
    } catch {
      return false
    } finally {
      connection.destroy()
    }
  }, 'the start of MariaDB')
  return {
    port,
    async run(...statements) {
      const connection = owner()
      try {
        await connected(connection)
        for (const statement of ['USE test', ...statements]) await ask(connection, statement)
      } finally {
        connection.destroy()
      }
    },
  }
})

/** What the package's own program for a new database, which needs the package of the clients, has the server read. */
const tablesOfTheSystem = () =>
  [
    'USE mysql;',
    'SET @auth_root_socket = NULL;',
    ...['mysql_system_tables', 'mysql_system_tables_data'].map((name) =>
      readFileSync(path.join(SYSTEM_TABLES, `${name}.sql`), 'utf8'),
    ),
  ].join('\n')

const connected = (connection: Connection) =>
  new Promise<void>((resolve, reject) => {
    connection.on('error', () => {})
    connection.connect((error) => (error ? reject(error) : resolve()))
  })

const ask = (connection: Connection, sql: string) =>
  new Promise<void>((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()))
  })
