import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { room, run, start } from '../support/program.ts'

const linux = process.platform === 'linux' ? false : 'it needs /proc and socket names of Linux'

test('sluice start ends at once with one clear line where no data directory can be made', {
  skip: linux,
}, async (t) => {
  const { code, stdout, stderr } = await run(['start', '--port', '0', '--data-dir', '/proc/nope'], {
    directory: room(t),
  })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^sluice: The data directory \/proc\/nope cannot be used: [^\n]+\n$/)
})

test('sluice start is refused beside a running server, also after the file of its lock was deleted [server:one-at-a-time]', {
  skip: linux,
}, async (t) => {
  const directory = room(t)
  await start(t, ['start'], { directory })
  const second = () => run(['start', '--port', '0'], { directory })
  assert.match((await second()).stderr, /Another server is using the data directory/)
  rmSync(path.join(directory, 'sluice-data/sluice.lock'))
  const { code, stderr } = await second()
  assert.equal(code, 1)
  assert.match(stderr, /Another server is using the data directory/)
})

test('sluice start leaves the permissions of a directory that exists, and warns where they let others in', async (t) => {
  const directory = room(t)
  const data = path.join(directory, 'sluice-data')
  mkdirSync(data)
  chmodSync(data, 0o755)
  const { log, kill, ended } = await start(t, ['start'], { directory })
  assert.match(log.join('\n'), /data-dir-open.*permissions 755.*chmod 700/)
  assert.equal(statSync(data).mode & 0o777, 0o755)
  assert.equal(statSync(path.join(data, 'sluice.db')).mode & 0o777, 0o600)
  kill('SIGTERM')
  assert.equal(await ended, 0)
})
