import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SluiceError } from '../kit/errors.ts'
import { lockDirectory, makeDirectory, makePrivateFile, openPermissions } from './directory.ts'

const MODULE = fileURLToPath(new URL('./directory.ts', import.meta.url))

function temporary(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-directory-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return directory
}

/** The answer that a second process gets for the same directory; then it is killed without releasing it. */
function secondProcess(directory: string): string {
  const script = `
    const { lockDirectory } = await import(${JSON.stringify(MODULE)})
    await lockDirectory(${JSON.stringify(directory)}).then(() => console.log('locked'), (error) => console.log(error.code))
    process.kill(process.pid, 'SIGKILL')`
  return spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  }).stdout.trim()
}

test('lockDirectory() locks a directory for one process, until that process ends', async (t) => {
  const directory = temporary(t)
  const lock = await lockDirectory(directory)
  assert.equal(secondProcess(directory), 'data_dir_in_use')
  lock.release()
  assert.equal(secondProcess(directory), 'locked')
  const again = await lockDirectory(directory)
  again.release()
})

const linux = process.platform === 'linux' ? false : 'only Linux has socket names without a file'
test('lockDirectory() keeps a second process out after its file was deleted', { skip: linux }, async (t) => {
  const directory = temporary(t)
  const lock = await lockDirectory(directory)
  rmSync(path.join(directory, 'sluice.lock'))
  assert.equal(secondProcess(directory), 'data_dir_in_use')
  lock.release()
  assert.equal(secondProcess(directory), 'locked')
})

test('makeDirectory() makes private folders, and leaves the permissions of one that exists', (t) => {
  const directory = temporary(t)
  const made = path.join(directory, 'one/two')
  makeDirectory(made)
  assert.equal(statSync(path.dirname(made)).mode & 0o777, 0o700)
  assert.equal(statSync(made).mode & 0o777, 0o700)
  assert.equal(openPermissions(made), undefined)

  const shared = path.join(directory, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o755)
  makeDirectory(shared)
  assert.equal(statSync(shared).mode & 0o777, 0o755)
  assert.equal(openPermissions(shared), '755')
})

const proc = process.platform === 'linux' ? false : 'only Linux has /proc'
test('makeDirectory() refuses a place where no folder can be made', { skip: proc }, () => {
  assert.throws(
    () => makeDirectory('/proc/nope/deeper'),
    (error) => error instanceof SluiceError && error.code === 'data_dir_unusable',
  )
})

test('makePrivateFile() makes a file for its owner alone, and leaves one that exists', (t) => {
  const file = path.join(temporary(t), 'file')
  makePrivateFile(file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  chmodSync(file, 0o640)
  makePrivateFile(file)
  assert.equal(statSync(file).mode & 0o777, 0o640)
})
