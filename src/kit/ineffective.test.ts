import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { SluiceError } from './errors.ts'
import { refuseIneffective } from './ineffective.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'sluice-settings-'))
const check = (environment: Record<string, string>) =>
  refuseIneffective(readConfig({ environment, directory }))

for (const [name, environment] of [
  ['DATABASE_URL', { DATABASE_URL: 'postgres://me:hush@db/sluice' }],
  ['DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://me:hush@db/sluice' }],
  [
    'DATABASE_DIRECT_URL',
    {
      DATABASE_URL: 'postgres://me:hush@db/sluice',
      DATABASE_DIRECT_URL: 'postgres://me:hush@db/sluice',
      SECRET_KEY: 'a-secret-of-this-test',
    },
  ],
  ['BLOB_URL', { BLOB_URL: 's3://hush' }],
  ['ADMIN_KEY', { ADMIN_KEY: 'hush-hush' }],
  ['METRICS_KEY', { METRICS_KEY: 'hush-hush' }],
  ['METRICS_KEY', { METRICS_KEY: 'hush-hush-hush-hush', ADMIN_KEY: 'hush-hush-hush-hush' }],
  ['TRACEPARENT_TO', { TRACEPARENT_TO: 'a.example' }],
  ['ACCESS_LOG', { ACCESS_LOG: 'true', LOG_LEVEL: 'warn' }],
  ['ALLOW_OPEN_UPSERT', { ALLOW_OPEN_UPSERT: 'true' }],
  ['EGRESS_ALLOW', { EGRESS_ALLOW: 'a.example, 10.0.0.0/8', EGRESS_DENY: '10.0.0.0/8' }],
  ['MCP_ALLOW', { MCP_ALLOW: 'tools.example', EGRESS_DENY: 'tools.example' }],
  ['TESSERACT', { TESSERACT: '/nowhere/tesseract' }],
  ['OCR_PAGES', { OCR_PAGES: '20', TESSERACT: 'off' }],
  ['FOLDER_ALLOW', { DATA_DIR: '/srv/data', FOLDER_ALLOW: '/srv/papers,/srv/data/uploads' }],
] as const)
  test(`refuseIneffective() names ${name} where ${Object.keys(environment).join(' and ')} leave it without effect [start:ineffective-setting]`, () => {
    assert.throws(
      () => check(environment),
      (error: unknown) =>
        error instanceof SluiceError &&
        error.code === 'config_invalid' &&
        error.message.startsWith(`The setting ${name} is not valid: `) &&
        !/hush|\n/.test(error.message),
    )
  })

test('refuseIneffective() takes the defaults and settings that do something', () => {
  check({})
  check({ HOST: '0.0.0.0', ALLOW_OPEN_UPSERT: 'true', ALLOW_OPEN_UPSERT_TOO: 'x' })
  check({ ALLOW_OPEN_UPSERT: 'false', EGRESS_ALLOW: 'a.example', EGRESS_DENY: 'b.example' })
  check({ DATA_DIR: '/srv/data', FOLDER_ALLOW: '/srv,/srv/data-of-others' })
})

test('refuseIneffective() refuses keys without the bucket that they are for, unless they are in the environment', () => {
  const given = (flags: Record<string, string>) => () =>
    refuseIneffective(readConfig({ flags, environment: {}, directory }))
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hush' }
  assert.throws(given(keys), /AWS_ACCESS_KEY_ID is not valid: it has no effect: BLOB_URL is not set/)
  assert.throws(
    given({ ...keys, BLOB_URL: 's3://AKIA:hush@host/bucket' }),
    /AWS_ACCESS_KEY_ID is not valid: it has no effect: BLOB_URL has keys of its own/,
  )
  given({ ...keys, BLOB_URL: 's3://host/bucket' })()
  check(keys)
  assert.throws(given({ BLOB_URL: 's3://host/bucket' }), /BLOB_URL is not valid: it has no keys/)
  assert.throws(
    given({ AWS_ACCESS_KEY_ID: 'id', BLOB_URL: 's3://host/bucket' }),
    /BLOB_URL is not valid: it has no keys/,
  )
})
