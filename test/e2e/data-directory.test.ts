import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
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

test('sluice sign-in finds the server of its data directory on whatever port, and none that was killed [studio:session]', async (t) => {
  const directory = room(t)
  const signIn = (...argv: string[]) => run(['sign-in', ...argv], { directory })
  const killed = await start(t, ['start'], { directory })
  killed.kill('SIGKILL')
  await killed.ended
  const address = path.join(directory, 'sluice-data/sluice.address')
  assert.equal(existsSync(address), true)
  const none = await signIn()
  assert.deepEqual([none.code, none.stdout], [1, ''])
  assert.match(
    none.stderr,
    /^sluice: No server runs with the data in .+sluice-data\n.*start it first: npm run/,
  )

  const { url, kill, ended } = await start(t, ['start'], { directory })
  const found = await signIn()
  assert.equal(found.code, 0, found.stderr)
  assert.equal(await works(found.stdout.trim(), url), true)
  // From outside, a container or a proxy has another address.
  assert.match((await signIn('--port', '8080')).stdout, /^http:\/\/127\.0\.0\.1:8080\/#sign-in=/)
  kill('SIGTERM')
  assert.equal(await ended, 0)
  assert.equal(existsSync(address), false)
})

/** Whether a link leads to a server and signs in there. */
async function works(link: string, url: string): Promise<boolean> {
  const [address, code] = link.split('/#sign-in=')
  assert.equal(address, url)
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code }),
  })
  return answer.status === 200
}
