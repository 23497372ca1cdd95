import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { describeConfig, isLoopback, readConfig, standingIn } from './config.ts'
import { SluiceError } from './errors.ts'

const empty = mkdtempSync(path.join(tmpdir(), 'sluice-config-'))

test('readConfig() gives the documented defaults where nothing is set', () => {
  const config = readConfig({ environment: {}, directory: empty })
  assert.equal(config.PORT, undefined)
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.MAX_UPLOAD_MB, 2048)
  assert.equal(config.MAX_FILES, 5000)
  assert.equal(config.LOG_LEVEL, 'info')
  assert.equal(config.ALLOW_OPEN_UPSERT, false)
})

test('a flag wins over the environment, the environment over the file, and each value tells its origin', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-config-'))
  writeFileSync(
    path.join(directory, 'sluice.config.json'),
    '{"PORT": 1, "HOST": "a", "MAX_FILES": 7, "EGRESS_ALLOW": ["x", "y"]}',
  )
  const config = readConfig({
    flags: { PORT: '3' },
    environment: { PORT: '2', HOST: 'b', LOG_LEVEL: '' },
    directory,
  })
  assert.deepEqual([config.PORT, config.HOST, config.MAX_FILES, config.EGRESS_ALLOW], [3, 'b', 7, ['x', 'y']])
  assert.deepEqual(
    [config.origins.PORT, config.origins.HOST, config.origins.MAX_FILES, config.origins.LOG_LEVEL],
    ['flag', 'environment', 'sluice.config.json', 'default'],
  )
})

test('a value that does not fit is refused with the name of its setting', () => {
  for (const [name, value] of [
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['LOG_LEVEL', 'loud'],
    ['ALLOW_OPEN_UPSERT', 'maybe'],
    ['MAX_FILES', '0'],
    ['ADMIN_KEY', 'two\nlines'],
    ['ADMIN_KEY', 'ends with a line break\n'],
    ['ADMIN_KEY', 'ключ'],
  ]) {
    assert.throws(
      () => readConfig({ environment: { [name!]: value! }, directory: empty }),
      (error: unknown) =>
        error instanceof SluiceError && error.code === 'config_invalid' && error.message.includes(name!),
    )
  }
})

test('readConfig() refuses an unknown name in sluice.config.json, and ignores it in the environment', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-config-'))
  writeFileSync(path.join(directory, 'sluice.config.json'), '{"PROT": 1}')
  assert.throws(() => readConfig({ environment: {}, directory }), /PROT/)
  readConfig({ environment: { PROT: '1' }, directory: empty })
})

test('readConfig() takes only addresses of PostgreSQL as DATABASE_URL, and does not repeat others', () => {
  const read = (DATABASE_URL: string) => readConfig({ environment: { DATABASE_URL }, directory: empty })
  for (const address of ['postgres://me:pw@db.example:5432/sluice', 'postgresql://db/sluice?sslmode=require'])
    assert.equal(read(address).DATABASE_URL, address)
  for (const address of ['mysql://me:hush@db/sluice', 'postgres://db', 'db.example', 'postgres:///hush'])
    assert.throws(
      () => read(address),
      (error: unknown) =>
        error instanceof SluiceError &&
        error.message.includes('postgres://USER:PASSWORD@HOST:PORT/DATABASE') &&
        !error.message.includes('hush'),
    )
})

test('describeConfig() never shows a secret', () => {
  const rows = describeConfig(readConfig({ environment: { ADMIN_KEY: 'hush-hush' }, directory: empty }))
  assert.equal(rows.find((row) => row.name === 'ADMIN_KEY')!.value, '(set)')
  assert.ok(!JSON.stringify(rows).includes('hush-hush'))
})

for (const [host, loopback] of [
  ['127.0.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['127.0.0.1.example.com', false],
] as const)
  test(`isLoopback() is ${loopback} for ${host}`, () => assert.equal(isLoopback(host), loopback))

test('standingIn() is where npm was called for scripts of ours, and the working directory for those of others', () => {
  const packageRoot = new URL('file:///opt/sluice/')
  const standing = (environment: Record<string, string>) => standingIn(packageRoot, environment)
  const called = { INIT_CWD: '/home/me/papers' }
  assert.equal(standing({ ...called, npm_package_json: '/opt/sluice/package.json' }), '/home/me/papers')
  assert.equal(standing({ ...called, npm_package_json: '/home/me/package.json' }), process.cwd())
  assert.equal(standing(called), process.cwd())
  assert.equal(standing({ npm_package_json: '/opt/sluice/package.json' }), process.cwd())
})

test('readConfig() takes folders as relative to where the person stands, those of the file to the file', (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sluice-config-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const read = (sources: object) =>
    readConfig({ directory, base: '/home/me', environment: {}, ...sources }).DATA_DIR
  assert.equal(read({ flags: { DATA_DIR: 'data' } }), path.resolve('/home/me/data'))
  assert.equal(read({ environment: { DATA_DIR: 'data' } }), path.resolve('/home/me/data'))
  writeFileSync(path.join(directory, 'sluice.config.json'), '{"DATA_DIR": "data"}')
  assert.equal(read({}), path.join(directory, 'data'))
})
