import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lockDirectory } from './directory.ts'

const MODULE = fileURLToPath(new URL('./directory.ts', import.meta.url))

/** What another process is told that asks for the same directory, and then dies without letting go. */
function another(directory: string): string {
  const script = `
    const { lockDirectory } = await import(${JSON.stringify(MODULE)})
    try { lockDirectory(${JSON.stringify(directory)}); console.log('got it') } catch (error) { console.log(error.code) }
    process.kill(process.pid, 'SIGKILL')`
  return spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  }).stdout.trim()
}

test('lockDirectory() gives a directory to one process at a time, and lets it go with the process', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-lock-'))
  const lock = lockDirectory(directory)
  assert.equal(another(directory), 'data_dir_in_use')
  lock.release()
  assert.equal(another(directory), 'got it')
  lockDirectory(directory).release()
  rmSync(directory, { recursive: true })
})
