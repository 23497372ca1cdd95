import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { faultyS3, type PassingCall } from '../support/s3-faults.ts'
import { newBucket, s3Call, s3Server } from '../support/s3-server.ts'
import { type ShelfOptions, testShelf } from '../support/s3-shelf.ts'
import { listed, manyBytes, sourceOf } from './blob-shelf.ts'
import { needs } from '../support/needs.ts'

await needs('the S3 server of the tests')

const { endpoint } = await s3Server()
const PART = 5 * 2 ** 20
const LARGE = 2 * PART + 7

/** A shelf behind a proxy that fails, and one of the same bucket without it. */
async function setUp(t: TestContext, fault: (call: PassingCall) => void, options: ShelfOptions = {}) {
  const bucket = await newBucket()
  const proxy = await faultyS3(t, endpoint, fault)
  const shelf = await testShelf(t, { bucket, endpoint: proxy.endpoint, partBytes: PART, ...options })
  return { shelf, bucket, proxy, sound: await testShelf(t, { bucket }) }
}

const isPart = ({ url }: PassingCall) => url.includes('partNumber=')
const isEnd = ({ method, url }: PassingCall) => method === 'POST' && url.includes('uploadId=')

async function openUploads(bucket: string): Promise<number> {
  const text = await (await s3Call('GET', `/${bucket}?uploads`)).text()
  return text.match(/<Upload>/g)?.length ?? 0
}

for (const [what, fault] of [
  ['500', (call: PassingCall) => call.answer(500, 'InternalError')],
  ['503 SlowDown', (call: PassingCall) => call.answer(503, 'SlowDown')],
  ['429', (call: PassingCall) => call.answer(429)],
  ['400 RequestTimeout', (call: PassingCall) => call.answer(400, 'RequestTimeout')],
  ['a cut connection', (call: PassingCall) => call.cut()],
] as const)
  test(`s3Shelf() repeats calls after ${what}, and nothing is lost or twice there`, async (t) => {
    const { shelf } = await setUp(t, (call) => {
      if (call.before < 2) fault(call)
    })
    const [small, large] = [sourceOf('words'), sourceOf(manyBytes(LARGE))]
    assert.equal(await shelf.put('a/small', small, { ifAbsent: true }), true)
    assert.equal(await shelf.put('a/large', large), true)
    assert.deepEqual(
      (await listed(shelf)).map(({ name, size }) => [name, size]),
      [
        ['a/large', LARGE],
        ['a/small', 5],
      ],
    )
    assert.ok((await buffer((await shelf.get('a/large'))!.content)).equals(manyBytes(LARGE)))
    await shelf.remove(['a/small', 'a/large'])
    assert.deepEqual(await listed(shelf), [])
  })

test('s3Shelf() gives up after six attempts, with an error that names bucket, host and reason', async (t) => {
  const { shelf, bucket, proxy } = await setUp(t, (call) => call.answer(503, 'SlowDown'))
  await assert.rejects(shelf.put('a', sourceOf('words')), {
    code: 'blob_failed',
    status: 503,
    message: `The storage of files, bucket ${bucket} at ${proxy.endpoint.host}, failed: it answered 503 SlowDown`,
  })
  assert.equal(proxy.seen.length, 6)
})

for (const [status, code, reason] of [
  [403, 'AccessDenied', /the keys may not do this/],
  [403, 'SignatureDoesNotMatch', /the secret key is wrong/],
  [403, 'InvalidAccessKeyId', /does not know the access key/],
  [403, 'ExpiredToken', /token has expired/],
  [404, 'NoSuchBucket', /no such bucket/],
  [501, 'NotImplemented', /lacks a call/],
  [400, 'Odd<b>Code', /answered 400$/],
] as const)
  test(`s3Shelf() does not repeat a call after ${status} ${code}, and says what is wrong`, async (t) => {
    const { shelf, proxy } = await setUp(t, (call) => call.answer(status, code))
    await assert.rejects(shelf.put('a', sourceOf('words')), (error: Error) => {
      assert.match(error.message, reason)
      assert.doesNotMatch(error.message, /secret words/)
      return true
    })
    assert.equal(proxy.seen.length, 1)
  })

test('s3Shelf() does not take a bucket that is gone for one without the file', async (t) => {
  const shelf = await testShelf(t, { bucket: 'sluice-bucket-that-is-not-there' })
  await assert.rejects(shelf.get('a'), { code: 'blob_failed', message: /there is no such bucket/ })
  await assert.rejects(listed(shelf), { code: 'blob_failed' })
})

test('s3Shelf() names the region of a bucket that is elsewhere, and follows no redirect', async (t) => {
  const { shelf, proxy } = await setUp(t, (call) =>
    call.answer(301, 'PermanentRedirect', {
      'x-amz-bucket-region': 'eu-north-1',
      location: 'http://127.0.0.1:1/',
    }),
  )
  await assert.rejects(shelf.put('a', sourceOf('words')), {
    code: 'blob_failed',
    message: /region=eu-north-1$/,
  })
  assert.equal(proxy.seen.length, 1)
})

test('s3Shelf() leaves nothing of an upload that fails in the middle: no file and no parts', async (t) => {
  const { shelf, sound, bucket } = await setUp(t, (call) => {
    if (isPart(call) && call.url.includes('partNumber=2')) call.cut()
  })
  await sound.put('a', sourceOf('before'))
  await assert.rejects(shelf.put('a', sourceOf(manyBytes(LARGE))), {
    code: 'blob_failed',
    message: /was cut/,
  })
  assert.equal((await buffer((await sound.get('a'))!.content)).toString(), 'before')
  assert.equal(await openUploads(bucket), 0)
})

test('s3Shelf() clears the parts of a process that was killed, once they are old enough', async (t) => {
  const { shelf, bucket, sound } = await setUp(t, (call) => {
    if (call.url.includes('partNumber=2') || call.method === 'DELETE') call.answer(403, 'AccessDenied')
  })
  await assert.rejects(shelf.put('a', sourceOf(manyBytes(LARGE))))
  await assert.rejects(shelf.put('b', sourceOf(manyBytes(LARGE))))
  assert.equal(await openUploads(bucket), 2)
  await sound.sweep(Date.now() - 3_600_000)
  assert.equal(await openUploads(bucket), 2)
  await sound.sweep(Date.now() + 3_600_000)
  assert.equal(await openUploads(bucket), 0)
})

test('s3Shelf() takes an upload as done whose answer was lost', async (t) => {
  const { shelf } = await setUp(t, (call) => {
    if (call.before === 0 && call.method === 'PUT') call.passThenLose()
    if (isEnd(call) && call.before === 1) call.passThenLose()
  })
  assert.equal(await shelf.put('small', sourceOf('words'), { ifAbsent: true }), true)
  assert.equal(await shelf.put('large', sourceOf(manyBytes(LARGE))), true)
  assert.equal((await shelf.get('large'))!.size, LARGE)
})

test('s3Shelf() repeats the end of an upload that failed after its answer had begun', async (t) => {
  const { shelf } = await setUp(t, (call) => {
    if (isEnd(call) && call.before === 1) call.answer(200, 'InternalError')
  })
  assert.equal(await shelf.put('large', sourceOf(manyBytes(LARGE))), true)
  assert.equal((await shelf.get('large'))!.size, LARGE)
})

test('s3Shelf() continues a download that is cut, from the byte where it ended', async (t) => {
  const { shelf, proxy } = await setUp(t, (call) => {
    if (call.method === 'GET' && call.before < 3) call.passThenCut(2_000_000)
  })
  await shelf.put('large', sourceOf(manyBytes(LARGE)))
  assert.ok((await buffer((await shelf.get('large'))!.content)).equals(manyBytes(LARGE)))
  const gets = proxy.seen.filter(({ method }) => method === 'GET')
  assert.equal(gets.length, 4)
  assert.match(gets[3]!.headers.range!, /^bytes=[1-9]\d{6}-$/)
})

test('s3Shelf() never joins two files: a file that is replaced while it is read is a failure', async (t) => {
  const { shelf, sound } = await setUp(t, (call) => {
    if (call.method === 'GET' && call.before === 0) call.passThenCut(1_000_000)
  })
  await sound.put('a', sourceOf(manyBytes(3_000_000)))
  const found = await shelf.get('a')
  await sound.put('a', sourceOf(manyBytes(3_000_001)))
  await assert.rejects(buffer(found!.content), { code: 'blob_damaged', message: /was replaced/ })
})

test('s3Shelf() fails where the bytes of a file were changed behind its back', async (t) => {
  const { sound, bucket } = await setUp(t, () => {})
  const { sha256 } = sourceOf('words')
  await sound.put('a', sourceOf('words'))
  const changed = await s3Call('PUT', `/${bucket}/a`, 'w0rds')
  assert.equal(changed.status, 200)
  await assert.rejects(async () => buffer((await sound.get('a', { sha256 }))!.content), {
    code: 'blob_damaged',
  })
})

test('s3Shelf() ends a call that gets no answer, and repeats it', async (t) => {
  const { shelf, proxy } = await setUp(
    t,
    (call) => {
      if (call.before === 0) call.hang()
    },
    { limits: { headersMs: 3000 } },
  )
  assert.equal(await shelf.put('a', sourceOf('words')), true)
  assert.equal(proxy.seen.length, 2)
})

test('s3Shelf() holds two parts of a file at most, whatever its size', async (t) => {
  const { shelf, proxy } = await setUp(t, () => {})
  const size = 100 * 2 ** 20
  const piece = Buffer.alloc(2 ** 16, 7)
  const { sha256 } = sourceOf(Buffer.alloc(size, 7))
  let read = 0
  let most = 0
  async function* bytes() {
    for (; read < size; read += piece.length) {
      most = Math.max(most, read - proxy.received.bytes)
      yield piece
    }
  }
  await shelf.put('a', {
    size,
    sha256,
    open: () => Readable.from(bytes(), { objectMode: true, highWaterMark: 1 }),
  })
  assert.ok(most <= 2 * PART, `${most} bytes were read and not sent`)
  assert.ok(proxy.received.bytes >= size)

  const before = proxy.sent.bytes
  let taken = 0
  let waiting = 0
  for await (const chunk of (await shelf.get('a'))!.content as AsyncIterable<Buffer>) {
    assert.ok(chunk.every((byte) => byte === 7))
    taken += chunk.length
    waiting = Math.max(waiting, proxy.sent.bytes - before - taken)
  }
  assert.equal(taken, size)
  // Most of them are in the buffers of the two connections.
  assert.ok(waiting <= 32 * 2 ** 20, `${waiting} bytes were sent and not taken`)
})
