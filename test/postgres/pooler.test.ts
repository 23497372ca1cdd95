import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { openPostgres } from '../../src/db/postgres/database.ts'
import { emptyPostgres, freePort, postgresServer, serverAccount } from '../support/postgres.ts'
import { until } from '../support/until.ts'

const NONE = { steps: [] }

/** A real PgBouncer before the server of the tests; returns the address of a database through it. */
async function pgbouncer(t: TestContext, mode: 'session' | 'transaction', direct: string): Promise<string> {
  const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => existsSync(file))
  assert.ok(program, 'PgBouncer is not installed: tools/provide.sh installs it on Debian')
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-pgbouncer-'))
  const account = serverAccount()
  const port = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
    * = host=127.0.0.1 port=${(await postgresServer()).port} user=sluice
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = ${mode}
    default_pool_size = 20`.replace(/^ +/gm, ''),
  )
  if (account) for (const name of [folder, file]) chownSync(name, account.uid, account.gid)
  const child = spawn(program, [file], { ...account, stdio: 'ignore' })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = new URL(direct)
  url.port = String(port)
  await until(async () => {
    const client = new pg.Client(url.href)
    client.on('error', () => {})
    const answered = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    return answered
  }, 'the start of PgBouncer')
  return url.href
}

test('openPostgres() refuses PgBouncer in transaction mode in a clear line', async (t) => {
  const address = await pgbouncer(t, 'transaction', await emptyPostgres(t))
  await assert.rejects(openPostgres(address, NONE), {
    code: 'database_pooled',
    message: /DATABASE_URL leads to a connection pooler in transaction mode/,
  })
})

test('openPostgres() works through PgBouncer in session mode', async (t) => {
  const address = await pgbouncer(t, 'session', await emptyPostgres(t))
  const database = await openPostgres(address, NONE)
  t.after(() => database.close())
  const limits = await database.reader.get("SELECT current_setting('lock_timeout') AS locks")
  assert.deepEqual(limits, { locks: '2s' })
})
