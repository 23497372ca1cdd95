import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

/** A checkout without sources, in a path with a blank, whose own Node.js needs a loader that this machine does not have. */
function checkoutWithForeignNode(t: TestContext) {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice foreign node-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(path.join(home, 'tools'))
  for (const name of ['package.json', 'tools/machine-node.js'])
    cpSync(path.join(root, name), path.join(home, name))
  const programs = path.join(home, 'node_modules/node/bin')
  mkdirSync(programs, { recursive: true })
  mkdirSync(path.join(home, 'node_modules/.bin'))
  writeFileSync(path.join(programs, 'node'), '#!/lib/ld-of-another-system.so.1\n', { mode: 0o755 })
  symlinkSync('../node/bin/node', path.join(home, 'node_modules/.bin/node'))
  return { home, bundled: path.join(programs, 'node') }
}

/** Runs the script that `npm ci` runs at its end, in an npm that runs on this Node.js. */
function prepare(home: string, environment: Record<string, string> = {}) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { prepare: string }
  }
  const outside = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  return spawnSync('sh', ['-c', scripts.prepare], {
    cwd: home,
    encoding: 'utf8',
    env: {
      PATH: [path.join(home, 'node_modules/.bin'), ...outside].join(path.delimiter),
      npm_node_execpath: process.execPath,
      ...environment,
    },
  })
}

const OLD = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperties(process,{version:{value:'v20.0.0'},versions:{value:{...process.versions,node:'20.0.0'}}})",
)}`

test('npm ci uses the Node of the machine where that of the lock file cannot run, and says so', (t) => {
  const { home, bundled } = checkoutWithForeignNode(t)
  const { status, stderr } = prepare(home)
  assert.equal(status, 0, stderr)
  assert.match(
    stderr,
    /^npm ci: the Node\.js of package-lock\.json cannot run on this machine \(.+\): v\d+\S* of this machine is used/m,
  )
  assert.equal(readlinkSync(bundled), process.execPath)
  const node = spawnSync(path.join(home, 'node_modules/.bin/node'), ['-p', '6 * 7'], { encoding: 'utf8' })
  assert.equal(node.stdout, '42\n')
  assert.equal(prepare(home).stderr, '')
})

test('npm ci fails with the way out where neither the Node of the lock file nor that of the machine can run the server', (t) => {
  const { home } = checkoutWithForeignNode(t)
  const { status, stderr } = prepare(home, { NODE_OPTIONS: `--import=${OLD}` })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^npm ci: .+, and v20\.0\.0 of this machine is too old: install Node\.js 24 or newer, then run npm ci again$/m,
  )
})
