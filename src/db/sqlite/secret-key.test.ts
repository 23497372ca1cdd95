import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../../test/support/command-line.ts'
import { SluiceError } from '../../kit/errors.ts'
import { createSecretBox } from '../../kit/secret-box.ts'
import { credentialStore } from '../repositories/credentials.ts'
import { type Database, openDatabase } from './database.ts'
import { adoptSecretKey, openSecretKey } from './secret-key.ts'
import { settingStore } from '../repositories/settings.ts'

const OLD = 'the-secret-of-an-earlier-version-abcdefgh'

async function within<T>(directory: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(directory)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const secretOf = (directory: string, setting?: string) =>
  within(directory, (database) => openSecretKey(database, directory, setting))

const addCredential = (directory: string, secret: string) =>
  within(directory, (database) =>
    credentialStore(database.sql, createSecretBox(secret)).insert(
      { id: 'c1', name: 'mine', kind: 'openAIApi', createdAt: 1, updatedAt: 1 },
      { openAIApiKey: 'sk-of-the-test' },
    ),
  )

const keyFile = (directory: string) => path.join(directory, 'secret.key')

const refused = (work: Promise<unknown>, code: string, hint: RegExp) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof SluiceError)
    assert.equal(error.code, code)
    assert.match(String(error.facts.hint), hint)
    return true
  })

async function ofEarlierVersion(t: TestContext): Promise<string> {
  const directory = path.join(temporaryDirectory(t), 'data')
  await within(directory, (database) => settingStore(database.sql).keep('secretKey', OLD))
  await addCredential(directory, OLD)
  return directory
}

test('openSecretKey makes a file that only its owner reads, and finds it again [secret:file]', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  const secret = await secretOf(directory)
  assert.ok(secret.length >= 32)
  assert.equal(readFileSync(keyFile(directory), 'utf8').trim(), secret)
  assert.equal(statSync(keyFile(directory)).mode & 0o777, 0o600)
  assert.equal(await secretOf(directory), secret)
})

test('openSecretKey moves the secret of an earlier version out of the database, every byte of it [secret:file]', async (t) => {
  const directory = await ofEarlierVersion(t)
  assert.equal(await secretOf(directory), OLD)
  assert.equal(readFileSync(keyFile(directory), 'utf8').trim(), OLD)
  assert.equal(statSync(keyFile(directory)).mode & 0o777, 0o600)
  for (const name of readdirSync(directory).filter((file) => file.startsWith('sluice.db')))
    assert.ok(!readFileSync(path.join(directory, name)).includes(OLD), `${name} holds the secret`)
  const data = await within(directory, (database) =>
    credentialStore(database.sql, createSecretBox(OLD)).open('c1'),
  )
  assert.deepEqual(data, { openAIApiKey: 'sk-of-the-test' })
})

test('openSecretKey with SECRET_KEY makes no file, and refuses another one later [secret:checked]', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  assert.equal(await secretOf(directory, 'my-own-secret'), 'my-own-secret')
  assert.equal(existsSync(keyFile(directory)), false)
  await refused(secretOf(directory, 'another-secret'), 'secret_wrong', /set SECRET_KEY to the value/)
  await refused(secretOf(directory), 'secret_missing', /sluice credential reset/)
  assert.equal(await secretOf(directory, 'my-own-secret'), 'my-own-secret')
})

test('openSecretKey refuses a file that is another one, or gone [secret:checked]', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  const secret = await secretOf(directory)
  await refused(secretOf(directory, 'another-secret'), 'secret_wrong', /remove SECRET_KEY/)
  writeFileSync(keyFile(directory), 'changed')
  await refused(secretOf(directory), 'secret_wrong', /from a backup/)
  rmSync(keyFile(directory))
  await refused(secretOf(directory), 'secret_missing', /from a backup/)
  assert.equal(existsSync(keyFile(directory)), false)
  writeFileSync(keyFile(directory), secret)
  assert.equal(await secretOf(directory), secret)
})

test('openSecretKey notices a wrong SECRET_KEY at a database of an earlier version by its credentials [secret:checked]', async (t) => {
  const directory = path.join(temporaryDirectory(t), 'data')
  await addCredential(directory, 'right-secret')
  await refused(secretOf(directory, 'wrong-secret'), 'secret_wrong', /./)
  await refused(secretOf(directory), 'secret_missing', /./)
  assert.equal(await secretOf(directory, 'right-secret'), 'right-secret')
})

test('adoptSecretKey() lets a server start after its secret is lost, and returns the credentials that cannot be read [secret:checked]', async (t) => {
  const directory = await ofEarlierVersion(t)
  await secretOf(directory)
  rmSync(keyFile(directory))
  const lost = await within(directory, (database) => adoptSecretKey(database, directory, undefined))
  assert.deepEqual(lost, ['mine'])
  assert.notEqual(await secretOf(directory), OLD)
})
