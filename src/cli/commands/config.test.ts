import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sluice, temporaryDirectory } from '../../../test/support/command-line.ts'

test('sluice config shows each setting with its value and origin, secrets masked', async (t) => {
  const directory = temporaryDirectory(t)
  writeFileSync(path.join(directory, 'sluice.config.json'), '{"MAX_FILES": 7}')
  const environment = { ADMIN_KEY: 'hush-hush', HOST: '::1' }
  const { code, stdout } = await sluice(['config', '--port', '8080'], { environment, directory })
  assert.equal(code, 0)
  assert.match(stdout, /^name +value +from +about$/m)
  assert.match(stdout, /^PORT +8080 +flag +the port to listen on/m)
  assert.match(stdout, /^HOST +::1 +environment /m)
  assert.match(stdout, /^MAX_FILES +7 +sluice\.config\.json /m)
  assert.match(stdout, /^ADMIN_KEY +\(set\) +environment /m)
  assert.match(stdout, /^LOG_LEVEL +info +default /m)
  assert.ok(!stdout.includes('hush-hush'))
})

test('sluice config --json prints the rows for programs', async (t) => {
  const directory = temporaryDirectory(t)
  const { stdout } = await sluice(['config', '--json', '--no-allow-open-upsert'], { directory })
  const rows = JSON.parse(stdout) as { name: string; value: string; origin: string; about: string }[]
  assert.deepEqual(
    rows.filter(({ origin }) => origin !== 'default').map(({ name, value }) => [name, value]),
    [['ALLOW_OPEN_UPSERT', 'false']],
  )
})

test('sluice config masks passwords and keys in addresses [config:masked-addresses]', async (t) => {
  const directory = temporaryDirectory(t)
  const environment = {
    DATABASE_URL: 'postgres://user:hush-one@host/db',
    OPENAI_BASE_URL: 'https://me:hush-two@gate.example/v1?api_key=hush-three',
    EGRESS_ALLOW: 'http://proxy:hush-four@10.0.0.1,plain.example',
  }
  for (const argv of [['config'], ['config', '--json']]) {
    const { code, stdout } = await sluice(argv, { environment, directory })
    assert.equal(code, 0)
    assert.ok(!stdout.includes('hush'), stdout)
    assert.match(stdout, /postgres:\/\/user:••••@host\/db/)
    assert.match(stdout, /https:\/\/me:••••@gate\.example\/v1\?api_key=••••/)
    assert.match(stdout, /http:\/\/proxy:••••@10\.0\.0\.1,plain\.example/)
  }
})
