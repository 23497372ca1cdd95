import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

test('the tests run on the pinned Node', () => {
  assert.match(process.version, /^v24\./)
})

test('npm scripts and npm exec run the pinned Node, not the machine’s own', () => {
  const npm = spawnSync('npm', ['exec', '-c', 'node -p process.version'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: outsidePath() },
  })
  assert.match(npm.stdout, /^v24\./, npm.stderr)
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
