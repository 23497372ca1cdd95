import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import { collect } from '../support/collect.ts'
import { readEvents } from '../support/event-stream.ts'
import { heldFlow } from '../support/held-flow.ts'
import { ADMIN_KEY, form } from '../support/platform.ts'
import { room, run, start } from '../support/program.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { newBucket, objectsOf, s3Call, s3Server } from '../support/s3-server.ts'
import { until } from '../support/until.ts'
import { needs } from '../support/needs.ts'

await needs('the S3 server of the tests')

const { endpoint, accessKeyId, secretAccessKey } = await s3Server()
const { host } = new URL(endpoint)
const keys = `${accessKeyId}:${encodeURIComponent(secretAccessKey)}`
const provider = await startProviderServer()
after(() => provider.close())

/** A server whose files are in a folder of a bucket. */
async function setUp(t: Parameters<typeof start>[0], directory = room(t), bucket?: string) {
  const name = bucket ?? (await newBucket())
  const environment = { BLOB_URL: `s3://${keys}@${host}/${name}/a%20folder?tls=false`, ADMIN_KEY }
  const server = await start(t, ['start', '--data-dir', 'data'], { directory, environment })
  const call = async (method: string, at: string, body?: object | FormData) => {
    const isForm = body instanceof FormData
    const answer = await fetch(server.url + at, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    return answer
  }
  const manage = async <Body>(method: string, at: string, body?: object) => {
    const answer = await call(method, at, body)
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  const objects = async (below: string) =>
    (await objectsOf(name, `a folder/${below}`)).map((key) => key.slice('a folder/'.length))
  const keeping = async (flow: string) =>
    manage('PATCH', `/api/v1/chatflows/${flow}/settings`, { set: { originals: 'on' } })
  return {
    ...server,
    call,
    manage,
    objects,
    keeping,
    bucket: name,
    directory,
    data: path.join(directory, 'data'),
  }
}

/** The files of the folder of a bucket, by name. */
async function allOf(bucket: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const key of await objectsOf(bucket))
    files.set(
      key.slice('a folder/'.length),
      await (await s3Call('GET', `/${bucket}/${encodeURIComponent(key)}`)).text(),
    )
  return files
}

function copyBack(data: string, files: Map<string, string>): void {
  for (const [name, content] of files) {
    mkdirSync(path.dirname(path.join(data, name)), { recursive: true })
    writeFileSync(path.join(data, name), content)
  }
}

async function endOf(url: string, id: string): Promise<JobAnswer> {
  const events = await collect(
    readEvents(
      await fetch(`${url}/api/v1/jobs/${id}/events`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } }),
    ),
  )
  return JSON.parse(events.at(-1)!.data) as JobAnswer
}

const FILES = { 'ünï cödé/漢字 (1).txt': 'Words of the first file.', "it's.txt": 'Words of the second file.' }

test('a server with BLOB_URL that is killed in the middle of an upsert continues from the bucket, and gives the files of its documents back [blobs:upsert]', async (t) => {
  const first = await setUp(t)
  const flow = await heldFlow(first.manage, provider, 'Bucket')
  await first.keeping(flow)
  provider.hold(0)
  const calls = provider.calls.length
  const answer = await first.call('POST', `/api/v1/vector/upsert/${flow}?async=true`, form(FILES))
  assert.equal(answer.status, 202)
  const { jobId } = (await answer.json()) as { jobId: string }
  await until(() => provider.calls.length > calls)
  const [upload] = readdirSync(path.join(first.data, 'uploads'))
  assert.deepEqual(await first.objects('uploads/'), [`uploads/${upload}/0`, `uploads/${upload}/1`])
  first.kill('SIGKILL')
  await first.ended

  // Another machine with the same database would have no copies.
  rmSync(path.join(first.data, 'uploads'), { recursive: true })
  const second = await setUp(t, first.directory, first.bucket)
  provider.release()
  assert.partialDeepStrictEqual(await endOf(second.url, jobId), { state: 'done', result: { numAdded: 2 } })
  for (const [name, content] of Object.entries(FILES)) {
    const file = await second.call(
      'GET',
      `/api/v1/vector/sources/${flow}/original?source=${encodeURIComponent(name)}`,
    )
    assert.equal(await file.text(), content)
    assert.equal(file.headers.get('content-length'), String(content.length))
  }
  await until(async () => (await second.objects('uploads/')).length === 0)
  assert.equal((await second.objects('originals/')).length >= 2, true)
  assert.equal(existsSync(path.join(second.data, 'originals')), false)
  assert.deepEqual(readdirSync(path.join(second.data, 'uploads')), [])

  const removed = await second.call('DELETE', `/api/v1/vector/upsert/${flow}`, {
    source: "it's.txt",
    permanent: true,
  })
  assert.equal(removed.status, 200)
  const gone = await second.call('GET', `/api/v1/vector/sources/${flow}/original?source=it's.txt`)
  assert.equal(gone.status, 404)
  assert.doesNotMatch(JSON.stringify(second.log), new RegExp(secretAccessKey.replaceAll('+', '\\+')))
})

test('a server whose files are moved to a bucket finds them there, and refuses to start without it [blobs:place]', async (t) => {
  const directory = room(t)
  const environment = { ADMIN_KEY }
  const local = await start(t, ['start', '--data-dir', 'data'], { directory, environment })
  const authorization = `Bearer ${ADMIN_KEY}`
  await fetch(`${local.url}/api/v1/chatflows/quickstart/settings`, {
    method: 'PATCH',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ set: { originals: 'on' } }),
  })
  const upsert = `${local.url}/api/v1/vector/upsert/quickstart`
  assert.equal(
    (await fetch(upsert, { method: 'POST', headers: { authorization }, body: form(FILES) })).status,
    200,
  )
  local.kill('SIGTERM')
  assert.equal(await local.ended, 0)
  assert.equal(readdirSync(path.join(directory, 'data/originals')).length, 2)

  const moved = await setUp(t, directory)
  const original = `/api/v1/vector/sources/quickstart/original?source=${encodeURIComponent("it's.txt")}`
  assert.equal(await (await moved.call('GET', original)).text(), FILES["it's.txt"])
  assert.equal((await moved.objects('originals/')).length, 2)
  assert.equal(
    existsSync(path.join(moved.data, 'originals')) &&
      readdirSync(path.join(moved.data, 'originals')).length > 0,
    false,
  )
  moved.kill('SIGTERM')
  assert.equal(await moved.ended, 0)

  const refused = async (settings: Record<string, string>, expected: RegExp) => {
    const { code, stderr } = await run(['start', '--port', '0', '--data-dir', 'data'], {
      directory,
      environment: { ADMIN_KEY, ...settings },
    })
    assert.notEqual(code, 0)
    assert.match(stderr, expected)
    const lines = stderr.trim().split('\n')
    assert.ok(
      !lines.at(-1)!.includes(secretAccessKey) &&
        !lines.at(-1)!.includes(encodeURIComponent(secretAccessKey)),
    )
  }
  await refused({}, /files of its documents and jobs are in a bucket: set BLOB_URL as before/)
  const other = await newBucket()
  await refused(
    { BLOB_URL: `s3://${keys}@${host}/${other}?tls=false` },
    /does not have the files of this database/,
  )
  assert.deepEqual(await objectsOf(other), [])

  // A copy of the bucket is as good.
  for (const key of await objectsOf(moved.bucket)) {
    const content = await (await s3Call('GET', `/${moved.bucket}/${encodeURIComponent(key)}`)).text()
    assert.equal((await s3Call('PUT', `/${other}/${encodeURIComponent(key)}`, content)).status, 200)
  }
  copyBack(path.join(directory, 'data'), await allOf(other))
  const back = await start(t, ['start', '--data-dir', 'data'], { directory, environment })
  const again = await fetch(back.url + original, { headers: { authorization } })
  assert.equal(await again.text(), FILES["it's.txt"])
  assert.equal(existsSync(path.join(directory, 'data/sluice-files.json')), false)
  back.kill('SIGTERM')
  assert.equal(await back.ended, 0)

  const copied = await setUp(t, directory, other)
  assert.equal(await (await copied.call('GET', original)).text(), FILES["it's.txt"])
})

test('a start names bucket and host in one line where the bucket is away, of another database, or not open to the keys [start:blob-url]', async (t) => {
  const directory = room(t)
  const bucket = await newBucket()
  const taken = await setUp(t, directory, bucket)
  const refusal = async (blobUrl: string, settings: Record<string, string> = {}) => {
    const { code, stderr } = await run(['start', '--port', '0', '--data-dir', 'other'], {
      directory,
      environment: { BLOB_URL: blobUrl, ...settings },
    })
    assert.notEqual(code, 0)
    const line = stderr.trim().split('\n').at(-1)!
    assert.ok(!line.includes('hush'), line)
    return line
  }
  assert.match(
    await refusal(`s3://${accessKeyId}:hush@${host}/${bucket}/x?tls=false`),
    new RegExp(`bucket ${bucket} at ${host}, failed: the secret key is wrong`),
  )
  assert.match(
    await refusal(`s3://${keys}@${host}/none-such?tls=false`),
    new RegExp(`bucket none-such at ${host}.*no such bucket`),
  )
  assert.match(await refusal(`s3://hush:hush@${host}/${bucket}?tls=false`), /does not know the access key/)
  assert.match(
    await refusal(`s3://${keys}@${host}/${bucket}/a%20folder?tls=false`),
    new RegExp(`${bucket}/a folder at ${host} has the files of another database`),
  )
  assert.match(
    await refusal(`s3://${keys}@${host}/${bucket}?tls=false`, { EGRESS_DENY: '127.0.0.0/8' }),
    /EGRESS_DENY forbids it/,
  )
  assert.match(await refusal(`s3://${host}/${bucket}?tls=false`), /BLOB_URL is not valid: it has no keys/)
  assert.match(await refusal('s3://AKIA:hush/hush@host/bucket'), /write \/ as %2F/)
  taken.kill('SIGTERM')
  await taken.ended
})

test('sluice config shows BLOB_URL without its secret [start:blob-url]', async (t) => {
  const directory = room(t)
  const { stdout } = await run(['config'], {
    directory,
    environment: { BLOB_URL: 's3://AKIA:hush%2Fhush@host/bucket/x', AWS_SECRET_ACCESS_KEY: 'hush-too' },
  })
  assert.match(stdout, /s3:\/\/AKIA:••••@host\/bucket\/x/)
  assert.doesNotMatch(stdout, /hush/)
})
