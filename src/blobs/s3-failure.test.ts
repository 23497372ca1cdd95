import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../kit/egress/network-error.ts'
import { SluiceError } from '../kit/errors.ts'
import { asBlobError, isPassing, S3Refusal } from './s3-failure.ts'

const PLACE = { bucket: 'docs', host: 's3.example' }

const refusal = (status: number, code = '', headers: Record<string, string> = {}, more = '') =>
  new S3Refusal(status, new Headers(headers), `<Error><Code>${code}</Code><Secret>s</Secret>${more}</Error>`)

test('S3Refusal takes only the code and the region of what a server sends', () => {
  const named = refusal(403, 'AccessDenied', { 'retry-after': '3' })
  assert.equal(named.message, 'it answered 403 AccessDenied')
  assert.deepEqual(
    [named.status, named.code, named.afterMs, named.region, named.attempt],
    [403, 'AccessDenied', 3000, undefined, 1],
  )
  const silent = new S3Refusal(500, new Headers(), '')
  assert.deepEqual([silent.message, silent.code], ['it answered 500', ''])
  for (const code of ['a b', 'x'.repeat(65), '<b>']) assert.equal(refusal(400, code).code, '')
})

test('S3Refusal finds the region of the bucket in the header, or else in the text', () => {
  const inText = '<Region>eu-west-1</Region>'
  assert.equal(refusal(301, '', {}, inText).region, 'eu-west-1')
  assert.equal(refusal(301, '', { 'x-amz-bucket-region': 'us-east-2' }, inText).region, 'us-east-2')
  for (const region of ['a b', 'x'.repeat(65), ''])
    assert.equal(refusal(301, '', { 'x-amz-bucket-region': region }).region, undefined)
})

for (const [what, error, passes] of [
  ['a connection that broke', new NetworkError('s3.example', 'reset'), {}],
  ['a server that was silent', new SluiceError('provider_timeout', { seconds: 60 }), {}],
  ['an address that is forbidden', new SluiceError('egress_denied'), undefined],
  ['a fault of this program', new TypeError('x'), undefined],
  ['status 503', refusal(503), { afterMs: undefined }],
  ['status 429 with a time', refusal(429, '', { 'retry-after': '2' }), { afterMs: 2000 }],
  ['status 500', refusal(500), { afterMs: undefined }],
  ['status 400 RequestTimeout', refusal(400, 'RequestTimeout'), { afterMs: undefined }],
  ['status 409 OperationAborted', refusal(409, 'OperationAborted'), { afterMs: undefined }],
  ['status 409', refusal(409), undefined],
  ['status 403', refusal(403, 'AccessDenied'), undefined],
  ['status 404', refusal(404, 'NoSuchKey'), undefined],
  ['status 412', refusal(412, 'PreconditionFailed'), undefined],
] as const)
  test(`isPassing() ${passes ? 'tries again' : 'gives up'} after ${what}`, () => {
    assert.deepEqual(isPassing(error), passes)
  })

test('asBlobError() names the bucket, the host and the reason', () => {
  const reasonOf = (thrown: unknown) => {
    const error = asBlobError(thrown, PLACE) as SluiceError
    const { reason, ...facts } = error.facts
    assert.deepEqual([error.code, facts, error.cause], ['blob_failed', { ...PLACE, retryAfter: 5 }, thrown])
    return reason
  }
  assert.equal(reasonOf(refusal(404, 'NoSuchBucket')), 'there is no such bucket')
  assert.equal(reasonOf(refusal(418, 'Teapot')), 'it answered 418 Teapot')
  assert.equal(
    reasonOf(refusal(301, 'NoSuchBucket', { 'x-amz-bucket-region': 'eu-west-1' })),
    'the bucket is in the region eu-west-1: add region=eu-west-1',
  )
  assert.equal(reasonOf(new SluiceError('egress_denied')), 'EGRESS_DENY forbids it')
  assert.equal(
    reasonOf(new SluiceError('provider_timeout', { seconds: 9 })),
    'it did not answer in 9 seconds',
  )
  assert.equal(reasonOf(new SluiceError('provider_failed', { reason: 'it is away' })), 'it is away')
})

test('asBlobError() leaves failures of other kinds as they are', () => {
  for (const thrown of [new TypeError('x'), new SluiceError('blob_damaged', { name: 'a' }), 'text'])
    assert.equal(asBlobError(thrown, PLACE), thrown)
})
