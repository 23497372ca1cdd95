import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

test('npm scripts and npm exec run the Node that npm ci has chosen, which is new enough whatever the machine has', () => {
  const chosen = realpathSync(path.join(root, 'node_modules/.bin/node'))
  for (const args of [
    ['-c', 'node -p process.execPath'],
    ['--', 'node', '-p', 'process.execPath'],
  ]) {
    const npm = spawnSync('npm', ['exec', '--offline', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PATH: outsidePath() },
    })
    assert.equal(realpathSync(npm.stdout.trim()), chosen, npm.stderr)
  }
  const { stdout } = spawnSync(chosen, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  assert.ok(Number.parseInt(stdout, 10) >= 24, stdout)
})

test('bin/sluice.js under an older Node prints one line with the reason and ends with 2', (t) => {
  const older = olderNode()
  t.diagnostic(older ? `with ${older}` : 'no older Node on the PATH: this one, giving itself out as v20.0.0')
  const { status, stdout, stderr } = spawnSync(
    older ?? process.execPath,
    [...(older ? [] : ['--import', DISGUISE]), path.join(root, 'bin/sluice.js'), '--help'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /^sluice needs Node\.js 24 or newer; this is v\d+\.\d+\.\d+\n$/)
})

const DISGUISE = `data:text/javascript,Object.defineProperties(process, {
  version: { value: 'v20.0.0' },
  versions: { value: { ...process.versions, node: '20.0.0' } },
})`

/** The PATH without the folders that npm puts before it. */
function outsidePath(): string {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
    .join(path.delimiter)
}

function olderNode(): string | undefined {
  const nodes = outsidePath()
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'node'))
    .filter(existsSync)
  return nodes.find((node) => {
    const version = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout
    return Number.parseInt(version, 10) < 24
  })
}
