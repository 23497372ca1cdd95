import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { NetworkError } from '../kit/egress/network-error.ts'
import type { S3Call, S3Client } from './s3-client.ts'
import { S3Refusal } from './s3-failure.ts'
import { readObject } from './s3-read.ts'
import { HASH_HEADER } from './s3-upload.ts'

const CONTENT = '0123456789'
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

/**
 * A bucket with one object. `breaks`: after how many bytes the body of each call breaks off; `ends`: it ends there as if that were all.
 * `onCall` may change the object before a call.
 */
function bucket({
  content = CONTENT,
  hash = sha256(CONTENT) as string | null,
  breaks = [] as number[],
  ends = false,
  error = new NetworkError('s3.example', 'reset') as Error,
  onCall = (_: number) => {},
} = {}) {
  const calls: string[] = []
  const object = { content: content as string | undefined, tag: 't1', code: 'NoSuchKey' }
  const headersOf = (range?: { from: number; to: number }) =>
    new Headers({
      'content-length': String(range ? range.to - range.from : object.content!.length),
      ...(range ? { 'content-range': `bytes ${range.from}-${range.to - 1}/${object.content!.length}` } : {}),
      etag: object.tag,
      ...(hash === null ? {} : { [HASH_HEADER]: hash }),
    })
  const client: S3Client = {
    async call({ method }: S3Call) {
      calls.push(method)
      const status = object.content === undefined ? 404 : 200
      return { status, headers: status === 200 ? headersOf() : new Headers(), text: '' }
    },
    async open({ headers = {} }: S3Call) {
      onCall(calls.length)
      calls.push(`${headers.range ?? 'all'} ${headers['if-match'] ?? ''}`.trim())
      if (object.content === undefined) throw new S3Refusal(404, new Headers(), `<Code>${object.code}</Code>`)
      if (headers['if-match'] !== undefined && headers['if-match'] !== object.tag)
        throw new S3Refusal(412, new Headers(), '')
      const [, first, last] = /bytes=(\d+)-(\d*)/.exec(headers.range ?? '') ?? []
      const from = Number(first ?? 0)
      const length = object.content.length
      if (from >= length && first !== undefined) return new Response(null, { status: 416 })
      const to = last ? Math.min(Number(last) + 1, length) : length
      const bytes = Buffer.from(object.content.slice(from, to))
      const most = breaks.shift()
      async function* body() {
        if (most !== 0) yield bytes.subarray(0, most ?? bytes.length)
        if (most !== undefined && !ends) throw error
      }
      const isPart = first !== undefined
      return {
        ok: true,
        headers: headersOf(isPart ? { from, to } : undefined),
        body: Object.assign(body(), { cancel: async () => void calls.push('cancelled') }),
      } as unknown as Response
    },
  }
  return { calls, object, client, read: (wanted = {}) => readObject(client, { key: 'k', name: 'n' }, wanted) }
}

const damaged = (reason: string) => ({ code: 'blob_damaged', facts: { name: 'n', reason } })

test('readObject() reads a whole object and compares its hash', async () => {
  const whole = bucket()
  const found = (await whole.read())!
  assert.equal(found.size, 10)
  assert.equal(await text(found.content), CONTENT)
  assert.deepEqual(whole.calls, ['all'])
  const other = (await bucket({ hash: sha256('other') }).read())!
  await assert.rejects(text(other.content), damaged('its hash is another one'))
  const wanted = (await bucket().read({ sha256: sha256('other') }))!
  await assert.rejects(text(wanted.content), damaged('its hash is another one'))
  assert.equal(await text((await bucket({ hash: null }).read())!.content), CONTENT)
})

test('readObject() reads a range, whose hash is not known', async () => {
  for (const [wanted, part, range] of [
    [{ start: 2, end: 5 }, '234', 'bytes=2-4'],
    [{ start: 7 }, '789', 'bytes=7-'],
    [{ end: 1 }, '0', 'bytes=0-0'],
    [{ start: 8, end: 99 }, '89', 'bytes=8-98'],
  ] as const) {
    const { read, calls } = bucket({ hash: sha256('other') })
    const found = (await read(wanted))!
    assert.deepEqual([await text(found.content), found.size, calls], [part, 10, [range]])
  }
})

test('readObject() gives nothing of a range behind the end, and the size', async () => {
  const { read, calls, object } = bucket()
  const found = (await read({ start: 10, end: 12 }))!
  assert.deepEqual([await text(found.content), found.size], ['', 10])
  assert.deepEqual(calls, ['bytes=10-11', 'HEAD'])
  const empty = (await bucket({ content: '', hash: null }).read({ start: 0, end: 0 }))!
  assert.deepEqual([await text(empty.content), empty.size], ['', 0])
  object.content = undefined
  assert.equal(await read({ start: 10 }), undefined)
})

test('readObject() is undefined where there is no object, and fails where there is no bucket', async () => {
  const { object, read } = bucket()
  object.content = undefined
  assert.equal(await read(), undefined)
  object.code = 'NoSuchBucket'
  await assert.rejects(read(), { status: 404 })
})

test('readObject() goes on where a body breaks off, in the same object', async () => {
  for (const ends of [false, true]) {
    const { read, calls } = bucket({ breaks: [3, 0, 2], ends })
    assert.equal(await text((await read())!.content), CONTENT)
    assert.deepEqual(calls, ['all', 'bytes=3- t1', 'bytes=3- t1', 'bytes=5- t1'])
  }
  const { read, calls } = bucket({ breaks: [1] })
  assert.equal(await text((await read({ start: 2, end: 5 }))!.content), '234')
  assert.deepEqual(calls, ['bytes=2-4', 'bytes=3-4 t1'])
})

test('readObject() gives up after five breaks in a row without a byte', async () => {
  const patient = bucket({ breaks: [3, 0, 0, 0, 0, 1, 0, 0, 0, 0] })
  assert.equal(await text((await patient.read())!.content), CONTENT)
  for (const [ends, message] of [
    [false, /reset/],
    [true, /its answer ends early/],
  ] as const) {
    const hopeless = bucket({ breaks: [3, 0, 0, 0, 0, 0], ends })
    await assert.rejects(text((await hopeless.read())!.content), { message })
  }
})

test('readObject() gives up at once where another attempt does not help', async () => {
  const { read, calls } = bucket({ breaks: [3], error: new TypeError('a fault') })
  await assert.rejects(text((await read())!.content), { message: 'a fault' })
  assert.equal(calls.length, 1)
})

test('readObject() fails where the object was replaced or removed meanwhile', async () => {
  const replaced = bucket({
    breaks: [3],
    onCall: (at) => {
      if (at === 1) replaced.object.tag = 't2'
    },
  })
  await assert.rejects(text((await replaced.read())!.content), damaged('it was replaced'))
  const removed = bucket({
    breaks: [3],
    onCall: (at) => {
      if (at === 1) removed.object.content = undefined
    },
  })
  await assert.rejects(text((await removed.read())!.content), damaged('it was removed'))
})

test('cancel() ends the body', async () => {
  const { read, calls } = bucket()
  ;(await read())!.cancel()
  assert.deepEqual(calls, ['all', 'cancelled'])
})
