import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { FailedFileAnswer } from '../../src/api/failed-file.ts'
import type { JobAnswer } from '../../src/api/job.ts'
import type { UpsertAnswer } from '../../src/api/upsert.ts'
import { readConfig } from '../../src/kit/config.ts'
import { quietLog } from '../../src/kit/log.ts'
import { startPlatform } from '../../src/main.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { jobEnvelope } from '../../src/jobs/envelope.ts'
import { heldFlow } from '../support/held-flow.ts'
import { paragraphLines, writePdf } from '../support/pdf-writer.ts'
import { ADMIN_KEY, form, makePlatform, type TestPlatform } from '../support/platform.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until } from '../support/until.ts'

const SECRET_KEY = 'the secret of this server, made up for its tests'
const platform = await makePlatform({ SECRET_KEY }, { servers: 1 })
const { manage, upload } = platform

/** Words that are nowhere else, so that a search for them proves something. */
const PASSWORD = 'Zwiebelturm-4711'
const WRONG = 'Regenfass-0815'

/** A Word document with a password, as Word writes it: no ZIP archive but a compound file. */
const LOCKED_WORD = Uint8Array.from(
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(100),
    Buffer.from('EncryptedPackage', 'utf16le'),
  ]),
)

const locked = (text: string, password = PASSWORD) =>
  Uint8Array.from(writePdf([{ lines: paragraphLines([text]) }], { password }))

const outcomes = ({ body }: { body: UpsertAnswer }) =>
  Object.fromEntries(
    body.files!.map(({ name, status, code, message }) => [name, code ? `${code}: ${message}` : status]),
  )

const textOf = async (flow: string, source: string) =>
  (
    await manage<{ data: { pageContent: string }[] }>(
      'GET',
      `/api/v1/vector/chunks/${flow}?source=${encodeURIComponent(source)}`,
    )
  ).body.data
    .map(({ pageContent }) => pageContent)
    .join(' ')

/** All bytes that the server has stored, and all that it has logged. */
function kept({ dataDirectory, log }: TestPlatform): string {
  const files = readdirSync(dataDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => contentOf(path.join(entry.parentPath, entry.name)))
  return [...files, JSON.stringify(log)].join('\n')
}

/** The server may delete or rename a file while others are read: that one is not stored. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

const idle = () => manage('GET', '/api/v1/jobs/events?until=idle')

test('a password of the form opens every file that it fits, and a map gives files their own [upsert:password]', async () => {
  const flow = await platform.flow({})
  const files = { 'a.pdf': locked('Apples are red.'), 'open.txt': 'Nothing is locked here.' }
  assert.deepEqual(outcomes(await upload(flow, files, { password: PASSWORD })), {
    'a.pdf': 'indexed',
    'open.txt': 'indexed',
  })
  assert.match(await textOf(flow, 'a.pdf'), /Apples are red/)

  const two = { 'b.pdf': locked('Birds sing.', 'first'), 'c.pdf': locked('Cats purr.', 'second') }
  const ways: Record<string, string>[] = [
    { 'password[b.pdf]': 'first', 'password[c.pdf]': 'second' },
    { password: JSON.stringify({ 'b.pdf': 'first', '*': 'second' }) },
    { overrideConfig: JSON.stringify({ password: { 'b.pdf': 'first', 'c.pdf': 'second' } }) },
  ]
  for (const fields of ways) {
    const other = await platform.flow({})
    assert.deepEqual(outcomes(await upload(other, two, fields)), { 'b.pdf': 'indexed', 'c.pdf': 'indexed' })
    assert.match(await textOf(other, 'b.pdf'), /Birds sing/)
  }
})

test('a missing, a wrong and a useless password are told apart, and a name that no file has [upsert:password]', async () => {
  const flow = await platform.flow({})
  const files = { 'a.pdf': locked('Apples are red.'), 'b.docx': LOCKED_WORD, 'c.txt': 'Clear.' }
  const missing = await upload(flow, files)
  assert.deepEqual(outcomes(missing), {
    'a.pdf': 'file_encrypted: a.pdf is protected by a password',
    'b.docx':
      'file_encrypted: b.docx is protected by a password; only PDFs can be opened with one: save it without a password',
    'c.txt': 'indexed',
  })
  const wrong = await upload(flow, files, { password: WRONG })
  assert.match(
    outcomes(wrong)['a.pdf']!,
    /^file_encrypted: a\.pdf is protected by a password, and the password that was sent for it is wrong$/,
  )
  const elsewhere = await upload(flow, files, { 'password[A.pdf]': PASSWORD })
  assert.deepEqual(
    elsewhere.body.warnings.map(({ key, reason }) => [key, reason]),
    [['A.pdf', 'a password was sent for it, but the request has no file of this name']],
  )
  const alone = await upload(flow, { 'a.pdf': files['a.pdf'] })
  assert.partialDeepStrictEqual(alone, { status: 422, body: { code: 'file_encrypted', file: 'a.pdf' } })
  assert.match((alone.body as { hint?: string }).hint ?? '', /password of the request/)
  const { text, status } = await upload(flow, files, { password: JSON.stringify({ 'a.pdf': [PASSWORD] }) })
  assert.equal(status, 400)
  assert.ok(!text.includes(PASSWORD))
})

test('a password is in no row, no log, no answer and no history once its job has ended [upsert:password:gone]', async () => {
  const flow = await platform.flow({})
  const file = { 'a.pdf': locked('Apples are red.') }
  const headers = { 'idempotency-key': 'once' }
  const send = (password: string) =>
    platform.call<UpsertAnswer & { jobId: string }>('POST', `/api/v1/vector/upsert/${flow}`, {
      headers,
      body: form(file, { password }),
    })
  const failed = await send(WRONG)
  assert.equal(failed.status, 422)
  const [job] = (await manage<{ data: JobAnswer[] }>('GET', `/api/v1/jobs?flowId=${flow}`)).body.data
  const requestOf = async () =>
    (await platform.sql<{ request: string | null }>('SELECT request FROM jobs WHERE id = ?', job!.id))[0]!
      .request
  const envelope = jobEnvelope(createSecretBox(SECRET_KEY))
  // The failed job can be retried, so its request stays; the password does not.
  assert.ok(!JSON.stringify(envelope.open((await requestOf())!)).includes(WRONG))

  // The hash of the request would let a password be guessed: it is made without it.
  const repeated = await send(PASSWORD)
  assert.equal(repeated.headers.get('idempotent-replayed'), 'true')

  const again = await manage('POST', `/api/v1/jobs/${job!.id}/retry`, { password: PASSWORD })
  assert.equal(again.status, 200, again.text)
  await idle()
  assert.partialDeepStrictEqual((await manage<JobAnswer>('GET', `/api/v1/jobs/${job!.id}`)).body, {
    state: 'done',
  })
  assert.match(await textOf(flow, 'a.pdf'), /Apples are red/)
  assert.equal(await requestOf(), null)
  const everywhere = kept(platform)
  for (const secret of [PASSWORD, WRONG]) assert.ok(!everywhere.includes(secret))
  for (const address of [`jobs/${job!.id}`, `jobs/${job!.id}/files`, `upsert-history/${flow}`, 'audit'])
    assert.ok(!(await manage('GET', `/api/v1/${address}`)).text.includes(PASSWORD), address)
})

test('a job has its password still after a restart, encrypted [upsert:password]', async () => {
  const provider = await startProviderServer()
  const before = await makePlatform({}, { embedded: true })
  const flow = await heldFlow(before.manage, provider, 'Held')
  provider.hold(0)
  const call = {
    headers: { prefer: 'respond-async' },
    body: form({ 'a.pdf': locked('Apples are red.') }, { password: PASSWORD }),
  }
  const { body } = await before.call<{ jobId: string }>('POST', `/api/v1/vector/upsert/${flow}`, call)
  // The text was read; the restart begins with the file again.
  await until(() => provider.calls.length > 0)
  await before.close()
  assert.ok(!kept(before).includes(PASSWORD))
  provider.release()
  const flags = { PORT: '0', DATA_DIR: before.dataDirectory, ADMIN_KEY }
  const after = await startPlatform(
    readConfig({ flags, environment: {}, directory: before.dataDirectory }),
    quietLog,
  )
  try {
    const get = async (address: string) =>
      (
        await fetch(`${after.url}/api/v1/${address}`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })
      ).text()
    await get('jobs/events?until=idle')
    assert.partialDeepStrictEqual(JSON.parse(await get(`jobs/${body.jobId}`)), {
      state: 'done',
      result: { numFailed: 0, files: [{ name: 'a.pdf', status: 'indexed' }] },
    })
  } finally {
    await after.close()
    provider.close()
  }
})

test('a kept file asks for its password again: at a retry, and at a refresh [upsert:password, upsert:refresh]', async () => {
  const flow = await platform.flow({ splitter: { chunkSize: 200, chunkOverlap: 0 } })
  const set = async (settings: object) => {
    const { status, text } = await manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: settings })
    assert.equal(status, 200, text)
  }
  await set({ originals: 'on' })
  await upload(flow, { 'a.pdf': locked('Apples are red.'), 'b.txt': 'Clear.' })
  const failed = async () =>
    (await manage<{ data: FailedFileAnswer[] }>('GET', `/api/v1/vector/failed/${flow}`)).body.data
  assert.partialDeepStrictEqual(await failed(), [{ file: 'a.pdf', code: 'file_encrypted', again: 'kept' }])
  const retry = async (password?: string) => {
    const { status, text } = await manage('POST', `/api/v1/vector/failed/${flow}/retry`, {
      files: ['a.pdf'],
      password,
    })
    assert.equal(status, 200, text)
    await idle()
    return (await failed()).map(({ reason }) => reason)
  }
  assert.deepEqual(await retry(), ['is protected by a password'])
  assert.deepEqual(await retry(WRONG), [
    'is protected by a password, and the password that was sent for it is wrong',
  ])
  assert.deepEqual(await retry(PASSWORD), [])

  await set({ chunkSize: 100 })
  const refresh = (body: object) =>
    manage<UpsertAnswer & { message?: string }>('POST', `/api/v1/vector/refresh/${flow}`, body)
  assert.deepEqual(outcomes(await refresh({})), {
    'a.pdf': 'file_encrypted: a.pdf is protected by a password',
    'b.txt': 'indexed',
  })
  // Its earlier chunks stay until it is loaded.
  assert.match(await textOf(flow, 'a.pdf'), /Apples are red/)
  assert.deepEqual(outcomes(await refresh({ password: { 'a.pdf': PASSWORD } })), { 'a.pdf': 'indexed' })
})
