import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { postgresServer, serverAccount } from './postgres.ts'
import { until } from './until.ts'

/** The PgBouncer of this machine. */
export const pgbouncerPath = (): string | undefined =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => existsSync(file))

/**
 * A real PgBouncer before the server of the tests.
 *
 * @param test ends it
 * @param servers how many connections to the server it shares
 * @returns the address of a database through it
 */
export async function pgbouncer(
  test: { after(end: () => Promise<void>): void },
  mode: 'session' | 'transaction',
  direct: string,
  servers = 20,
): Promise<string> {
  const program = pgbouncerPath()
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
    default_pool_size = ${servers}`.replace(/^ +/gm, ''),
  )
  if (account) for (const name of [folder, file]) chownSync(name, account.uid, account.gid)
  const child = spawn(program, [file], { ...account, stdio: 'ignore' })
  test.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = new URL(direct)
  url.port = String(port)
  await until(async () => {
    assert.equal(child.exitCode, null, 'PgBouncer ended while it started')
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
