import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

/** A checkout with devDependencies and without sources, in a path with a blank. */
function checkout(t: TestContext) {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice npm ci-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const at = (name: string) => path.join(home, name)
  for (const name of ['tools/pinned-node', 'node_modules/@types/pg']) mkdirSync(at(name), { recursive: true })
  for (const name of ['package.json', 'tools/machine-node.js', 'tools/node-link.js'])
    cpSync(path.join(root, name), at(name))
  writeFileSync(at('tools/prepare.ts'), "console.log('prepared by', process.version as string)\n")
  // The Node.js of an older machine: only its version is another.
  writeFileSync(
    at('old-node'),
    `#!/bin/sh\n[ "$1" = --version ] && echo v20.19.0 && exit\nexec "${process.execPath}" "$@"\n`,
    { mode: 0o755 },
  )
  /** An npm whose `npm ci` runs this text in the folder of its lock file. */
  const npm = (ci: string) => {
    mkdirSync(at('npm'), { recursive: true })
    writeFileSync(at('npm/package.json'), '{"type":"commonjs"}')
    writeFileSync(
      at('npm/npm-cli.js'),
      `const fs = require('fs'); fs.writeFileSync('called', process.argv.slice(2).join(' ')); ${ci}`,
    )
  }
  return { home, at, npm, program: at('node_modules/.bin/node') }
}

type Checkout = ReturnType<typeof checkout>

/** An `npm ci` that installs this text as the Node.js of a platform. */
const installs = (text: string) => `
  fs.mkdirSync('node_modules/node-some-system/bin', { recursive: true })
  fs.mkdirSync('node_modules/node-some-system/include')
  fs.writeFileSync('node_modules/node-some-system/bin/node', ${JSON.stringify(text)}, { mode: 0o755 })`

/** Runs the script that npm ci runs at its end. */
function prepare({ home, at }: Checkout, node: string) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { prepare: string }
  }
  return spawnSync('sh', ['-c', scripts.prepare], {
    cwd: home,
    encoding: 'utf8',
    env: {
      PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      npm_node_execpath: node,
      npm_execpath: at('npm/npm-cli.js'),
    },
  })
}

test('npm ci uses the Node that runs npm where it is new enough, and installs none', (t) => {
  const place = checkout(t)
  place.npm('')
  const { status, stdout, stderr } = prepare(place, process.execPath)
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '')
  assert.equal(stdout, `prepared by ${process.version}\n`)
  assert.equal(realpathSync(place.program), realpathSync(process.execPath))
  assert.equal(existsSync(place.at('tools/pinned-node/called')), false)
})

test('npm ci installs the Node of tools/pinned-node where npm runs on an older one, without its scripts', (t) => {
  const place = checkout(t)
  place.npm(installs(`#!/bin/sh\nexec "${process.execPath}" "$@"\n`))
  const { status, stdout, stderr } = prepare(place, place.at('old-node'))
  assert.equal(status, 0, stderr)
  assert.match(stderr, /^npm runs on Node\.js v20\.19\.0: installing the one of tools\/pinned-node/)
  assert.equal(stdout, `prepared by ${process.version}\n`)
  const pinned = 'tools/pinned-node/node_modules/node-some-system'
  assert.equal(realpathSync(place.program), realpathSync(place.at(`${pinned}/bin/node`)))
  assert.equal(existsSync(place.at(`${pinned}/include`)), false)
  assert.match(readFileSync(place.at('tools/pinned-node/called'), 'utf8'), /^ci .*--ignore-scripts/)
})

for (const [name, ci, reason] of [
  ['cannot be installed', 'process.exit(1)', 'could not be installed; the reason is above'],
  ['is not made for the platform', '', `is not made for ${process.platform} on ${process.arch}`],
  ['cannot run', installs('#!/lib/ld-of-another-system.so.1\n'), 'cannot run on this machine \\(.+\\)'],
] as const)
  test(`npm ci fails with the way out where the machine is too old and the pinned Node ${name}`, (t) => {
    const place = checkout(t)
    place.npm(ci)
    const { status, stdout, stderr } = prepare(place, place.at('old-node'))
    assert.equal(status, 1)
    assert.equal(stdout, '')
    assert.match(
      stderr,
      new RegExp(
        `^npm ci: the Node\\.js of tools/pinned-node ${reason}, and v20\\.19\\.0 of this machine is too old: install Node\\.js 24 or newer, then run npm ci again$`,
        'm',
      ),
    )
    assert.equal(existsSync(place.program), false)
  })

test('npm ci fails where what it builds fails, also by a signal', (t) => {
  const place = checkout(t)
  for (const text of ['process.exitCode = 3', "process.kill(process.pid, 'SIGKILL')"]) {
    writeFileSync(place.at('tools/prepare.ts'), text)
    assert.notEqual(prepare(place, process.execPath).status, 0)
  }
})

test('npm ci without devDependencies builds nothing', (t) => {
  const place = checkout(t)
  rmSync(place.at('node_modules'), { recursive: true })
  const { status, stdout, stderr } = prepare(place, place.at('old-node'))
  assert.deepEqual([status, stdout, stderr], [0, '', ''])
})
