import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { room, run } from '../support/program.ts'

/** Standard error holds one sentence, at most a line with the way out, and no stack. */
function assertOneLine(stderr: string, expected: RegExp): void {
  assert.match(stderr, /^sluice: .+\n(.+\n)?$/)
  assert.match(stderr.split('\n')[0]!, expected)
  assert.doesNotMatch(stderr, /^\s+at /m)
}

const KEY = /a key is one line of ASCII characters/

for (const [what, key, expected] of [
  ['a line break', 'sk-one\ntwo', KEY],
  ['a line break at its end', 'sk-one\n', KEY],
  ['letters that no header holds', 'ключ', KEY],
] as const)
  test(`a key with ${what} is refused in one line, wherever it comes from`, async (t) => {
    const directory = room(t)
    const query = ['query', 'quickstart', 'otters', '--url', 'http://127.0.0.1:1']
    const option = await run([...query, '--key', key], { directory })
    assert.equal(option.code, 2)
    assertOneLine(option.stderr, new RegExp(`--key: ${expected.source}`))
    for (const [name, argv] of [
      ['SLUICE_KEY', query],
      ['ADMIN_KEY', ['flow', 'list']],
      ['ADMIN_KEY', ['start']],
    ] as const) {
      const { code, stderr } = await run([...argv], { directory, environment: { [name]: key } })
      assert.equal(code, 2)
      assertOneLine(stderr, new RegExp(`${name}.*${expected.source}`))
      assert.ok(!stderr.includes('sk-one'))
    }
  })

test('every command that listens reports a used port in one line', async (t) => {
  const directory = room(t)
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  for (const name of ['start', 'events']) {
    const { code, stderr } = await run([name, '--port', String(port)], { directory })
    assert.equal(code, 1)
    assertOneLine(stderr, new RegExp(`The port ${port} on 127.0.0.1 is taken`))
  }
})

test('a setting without effect refuses the start in one line, and the data directory is not made [start:ineffective-setting]', async (t) => {
  const directory = room(t)
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://somewhere/db'],
    ['BLOB_URL', 's3://somewhere'],
    ['ALLOW_OPEN_UPSERT', 'true'],
  ] as const) {
    const { code, stderr } = await run(['start', '--port', '0'], {
      directory,
      environment: { [name]: value },
    })
    assert.equal(code, 2)
    assertOneLine(stderr, new RegExp(`The setting ${name} is not valid`))
    assert.ok(!stderr.includes('somewhere'))
  }
})

test('a folder, an address or a file that cannot be used is reported in one line', async (t) => {
  const directory = room(t)
  mkdirSync(path.join(directory, 'papers/empty'), { recursive: true })
  writeFileSync(path.join(directory, 'papers/a.txt'), 'Otters swim.')
  for (const [argv, expected] of [
    [['upsert', 'quickstart', 'papers/empty'], /There is no file in papers\/empty/],
    [['upsert', 'quickstart', 'papers/none'], /There is no file or directory papers\/none/],
    [['upsert', 'quickstart', 'papers/a.txt/below'], /Cannot read papers\/a.txt\/below/],
    [['flow', 'import', 'papers'], /papers is a folder/],
    [['query', 'quickstart', 'x', '--url', 'http://a b'], /is not an address/],
    [['query', 'quickstart', 'x', '--url', 'nonsense.invalid'], /The host nonsense.invalid cannot be found/],
  ] as const) {
    const { code, stderr } = await run([...argv], { directory })
    assert.ok(code === 1 || code === 2)
    assertOneLine(stderr, expected)
  }
})
