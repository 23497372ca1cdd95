import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { paper, sluice } from '../../test/support/command-line.ts'

test('sluice --help lists every command on standard output', async () => {
  const { code, stdout, stderr } = await sluice(['--help'])
  assert.deepEqual([code, stderr], [0, ''])
  for (const name of ['start', 'events', 'demo', 'upsert', 'query', 'flow', 'key', 'config'])
    assert.match(stdout, new RegExp(`^  ${name}\\b.*  [A-Z]`, 'm'))
  assert.deepEqual(await sluice(['-h']), await sluice(['help']))
})

test('sluice without a command prints help on standard error, as wrong usage', async () => {
  const { code, stdout, stderr } = await sluice([])
  assert.deepEqual([code, stdout], [2, ''])
  assert.equal(stderr, (await sluice(['--help'])).stdout)
})

test('sluice --version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  assert.deepEqual(await sluice(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

test('every command and every group has help with its usage, without colour in a pipe', async () => {
  for (const path of [
    'start',
    'events',
    'demo',
    'upsert',
    'query',
    'config',
    'key new',
    'key list',
    'key rm',
    'flow',
  ]) {
    const { code, stdout, stderr } = await sluice([...path.split(' '), '--help'])
    assert.deepEqual([path, code, stderr], [path, 0, ''])
    assert.ok(stdout.startsWith(`Usage: sluice ${path} `), stdout)
    assert.ok(!stdout.includes('\u001b'))
  }
})

test('sluice upsert --help shows options, settings and examples of its declaration', async () => {
  const { stdout } = await sluice(['help', 'upsert'])
  assert.match(stdout, /^Usage: sluice upsert <flow> <file\|dir\|->… \[options\]$/m)
  assert.match(stdout, /^ {2}--chunk-size <number> +overrides the size of chunks$/m)
  assert.match(stdout, /^ {2}--dry-run +shows what would happen/m)
  assert.match(stdout, /^ {2}--max-files <number> +the most files/m)
  assert.match(stdout, /^ {2}sluice upsert quickstart handbook\/$/m)
  assert.ok(!stdout.includes('--data-dir'))
})

test('help fits into its terminal: the text of a long name is below it', async () => {
  for (const columns of [80, 200]) {
    const stdout = Object.assign(paper(), { columns })
    for (const path of [[], ['start'], ['flow']]) await sluice([...path, '--help'], { stdout })
    const lines = stdout.text.split('\n')
    const wide = lines.filter((line) => line.length > Math.min(columns, 120))
    // A name is never broken: people copy it.
    for (const line of wide) assert.match(line, /^ {2}--[\w-]+ <[^>]+>$/)
    assert.ok(lines.some((line) => /^ {2}--database-direct-url <[^>]+>$/.test(line)))
  }
})

test('help is coloured on a terminal', async () => {
  const stdout = paper(true)
  await sluice(['upsert', '--help'], { stdout })
  assert.ok(stdout.text.includes('\u001b['))
})

test('an unknown command is wrong usage, with the most similar one as a suggestion', async () => {
  assert.deepEqual(await sluice(['upsret', 'x']), {
    code: 2,
    stdout: '',
    stderr: 'sluice: there is no command upsret\ndid you mean sluice upsert?\n',
  })
  assert.match((await sluice(['key', 'nwe'])).stderr, /no command key nwe\ndid you mean sluice key new\?/)
  assert.match((await sluice(['elephant'])).stderr, /sluice --help lists them/)
  assert.match((await sluice(['toString'])).stderr, /there is no command toString/)
  assert.match((await sluice(['--port', '1', 'start'])).stderr, /options come after the command/)
})

test('wrong usage of a command shows its usage line', async () => {
  const { code, stdout, stderr } = await sluice(['query', 'quickstart'])
  assert.deepEqual([code, stdout], [2, ''])
  assert.equal(stderr, 'sluice: <question> is missing\nUsage: sluice query <flow> <question> [options]\n')
})

test('an invalid setting is wrong usage, from any origin', async () => {
  const flagged = await sluice(['config', '--port', 'http'])
  assert.equal(flagged.code, 2)
  assert.match(flagged.stderr, /^sluice: The setting PORT is not valid: expected a whole number/)
  const environment = { LOG_LEVEL: 'loud' }
  assert.match((await sluice(['config'], { environment })).stderr, /The setting LOG_LEVEL is not valid/)
})

test('an unexpected error prints its stack, with exit code 1', async () => {
  const startEvents = () => Promise.reject(new TypeError('x is not a function'))
  const { code, stderr } = await sluice(['events'], { startEvents })
  assert.equal(code, 1)
  assert.match(stderr, /^sluice: x is not a function\n.*TypeError/)
})
