import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'

const root = path.join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }

type Question = { question: string; answer: string; demo?: true }
const questions = JSON.parse(readFileSync(path.join(root, 'examples/questions.json'), 'utf8')) as Question[]
const demoQuestions = questions.filter(({ demo }) => demo)

const work = mkdtempSync(path.join(tmpdir(), 'sluice-package-'))
const installed = path.join(work, 'installed')
const sluice = path.join(installed, 'bin/sluice')

/** Packs a copy, since packing builds dist/ and a checkout has none; then installs the package as a user would. */
before(() => {
  const copy = path.join(work, 'copy')
  const left = new Set(['.git', '.bench', 'dist', 'node_modules', 'sluice-data'])
  mkdirSync(copy)
  const filter = (file: string) => path.basename(file) !== 'node_modules'
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(path.join(root, name), path.join(copy, name), { recursive: true, filter })
  for (const folder of ['node_modules', 'test/node_modules', 'studio/node_modules'])
    symlinkSync(path.join(root, folder), path.join(copy, folder))
  run('npm', ['pack', '--pack-destination', work], copy)
  const archive = readdirSync(work).find((name) => name.endsWith('.tgz'))
  run('npm', ['install', '--global', '--prefix', installed, path.join(work, archive!)], work)
})

after(() => rmSync(work, { recursive: true, force: true }))

test('the installed package prints its version', () => {
  assert.equal(run(sluice, ['--version']), `${version}\n`)
})

test('the installed package names its commands', () => {
  const help = run(sluice, ['--help'])
  for (const command of ['start', 'events', 'demo', 'upsert', 'query'])
    assert.match(help, new RegExp(`^ *(sluice )?${command}\\b`, 'm'))
})

test('the installed package loads the sample documents and answers from them', () => {
  const said = run(sluice, ['demo', '--once']).replace(/\s+/g, ' ')
  for (const { question, answer } of demoQuestions) {
    const [, reply = ''] = said.split(question)
    assert.ok(reply.includes(answer), `${question}\n${said}`)
  }
})

test('the package holds JavaScript, the description of the event service and no TypeScript [events:openapi]', () => {
  const files = readdirSync(path.join(installed, 'lib/node_modules/sluice'), { recursive: true }).map(String)
  const ours = files.filter((file) => !file.startsWith('node_modules'))
  assert.ok(ours.includes(path.join('dist', 'main.js')))
  assert.ok(ours.includes(path.join('dist', 'events', 'openapi.yaml')))
  assert.ok(ours.includes(path.join('dist', 'studio', 'index.html')))
  assert.deepEqual(
    ours.filter((file) => file.endsWith('.ts')),
    [],
  )
})

test('the package holds each module with which a thread or a process starts, under its path in the sources', () => {
  const starts = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => {
    if (file.endsWith('.test.ts') || file === path.join('src', 'kit', 'module.ts')) return []
    const text = readFileSync(path.join(root, file), 'utf8')
    const names = text.matchAll(/besideModule\([^']*'([^']+)'/g)
    return Array.from(names, ([, name]) => path.join('dist', path.dirname(file).slice(4), `${name}.js`))
  })
  assert.ok(starts.includes(path.join('dist', 'formats', 'child.js')))
  const folder = path.join(installed, 'lib/node_modules/sluice')
  assert.deepEqual(
    starts.filter((file) => !existsSync(path.join(folder, file))),
    [],
  )
})

test('the built studio is less than 3 MB, without a source map', () => {
  const folder = path.join(installed, 'lib/node_modules/sluice/dist/studio')
  const files = readdirSync(folder, { recursive: true }).map(String)
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
  assert.ok(bytes < 3e6, `${bytes} bytes`)
  assert.deepEqual(
    files.filter((file) => file.endsWith('.map')),
    [],
  )
})

/** Runs a command of this machine and returns its output; an error of the command fails the test. */
function run(command: string, args: string[], cwd = work): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}` },
  })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stderr}`)
  return stdout
}
