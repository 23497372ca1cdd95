import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysFor, nameOfPlace, readBlobUrl } from './blob-url.ts'

const shown = (text: string) => {
  const { endpoint, bucket, prefix, region, style } = readBlobUrl(text)
  return [endpoint.href, bucket, prefix, region, style]
}

test('readBlobUrl() reads host, bucket, folder, region, scheme and style', () => {
  assert.deepEqual(shown('s3://minio.example:9000/files'), [
    'https://minio.example:9000/',
    'files',
    '',
    'us-east-1',
    'path',
  ])
  assert.deepEqual(shown('s3://minio:9000/b.c-d/x/y%20z/?tls=false&region=r-1&style=virtual'), [
    'http://minio:9000/',
    'b.c-d',
    'x/y z/',
    'r-1',
    'virtual',
  ])
  assert.deepEqual(shown('S3://Minio/files?tls=false')[0], 'http://minio/')
  assert.deepEqual(shown('s3://minio:80/files')[0], 'https://minio:80/')
  assert.deepEqual(shown('s3://minio:443/files?tls=false')[0], 'http://minio:443/')
})

test('readBlobUrl() takes the region from a host name of AWS', () => {
  const region = (host: string) => readBlobUrl(`s3://${host}/b`).region
  assert.equal(region('s3.eu-central-1.amazonaws.com'), 'eu-central-1')
  assert.equal(region('s3-us-west-2.amazonaws.com'), 'us-west-2')
  assert.equal(region('s3.dualstack.eu-west-3.amazonaws.com'), 'eu-west-3')
  assert.equal(region('s3.cn-north-1.amazonaws.com.cn'), 'cn-north-1')
  assert.equal(region('s3.amazonaws.com'), 'us-east-1')
  assert.equal(readBlobUrl('s3://s3.eu-west-1.amazonaws.com/b?region=other').region, 'other')
})

test('readBlobUrl() reads keys with escapes, and keysFor() takes those of the settings where there are none', () => {
  const { keys } = readBlobUrl('s3://AKIA:a%2Fb%2Bc%40d@host/b')
  assert.deepEqual(keys, { accessKeyId: 'AKIA', secretAccessKey: 'a/b+c@d' })
  const settings = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' }
  assert.deepEqual(keysFor(readBlobUrl('s3://AKIA:own@host/b'), settings), {
    accessKeyId: 'AKIA',
    secretAccessKey: 'own',
  })
  assert.deepEqual(keysFor(readBlobUrl('s3://host/b'), settings), {
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  })
  assert.throws(() => keysFor(readBlobUrl('s3://host/b'), { AWS_ACCESS_KEY_ID: 'id' }), /it has no keys/)
})

for (const [text, reason] of [
  ['', /of the form s3:/],
  ['minio:9000/files', /of the form s3:/],
  ['https://host/bucket', /of the form s3:/],
  ['s3://', /of the form s3:/],
  ['s3://my-bucket', /names no bucket/],
  ['s3://host/', /names no bucket/],
  ['s3://AKIA:hush/hush@host/bucket', /write \/ as %2F/],
  ['s3://AKIA@host/bucket', /one of its two keys/],
  ['s3://:hush@host/bucket', /one of its two keys/],
  ['s3://AKIA:hush@host/bucket?regoin=x', /region, tls, style, and not regoin/],
  ['s3://AKIA:9/bucket?hush@host/bucket', /its parameters are region, tls, style$/],
  ['s3://AKIA:hush@host/bucket?tls=no', /tls is true or false/],
  ['s3://AKIA:hush@host/bucket?tls=true&tls=false', /twice/],
  ['s3://AKIA:hush@host/bucket?style=host', /path or virtual/],
  ['s3://AKIA:hush@127.0.0.1:9000/bucket?style=virtual', /needs a host name/],
  ['s3://AKIA:hush@[::1]:9000/bucket?style=virtual', /needs a host name/],
  ['s3://AKIA:hush@host/bucket?region=a%20b', /region is not a name/],
  ['s3://AKIA:hush@host/bu%20cket', /a name that no S3 server allows/],
  ['s3://AKIA:hush@host/bucket/..%2f..%2fx', /a part . or ../],
  ['s3://AKIA:hush@host/bucket/a%00b', /control characters/],
  ['s3://AKIA:hush@host/bucket/%zz', /hexadecimal/],
  ['s3://AKIA:hush@host/bucket#part', /%23/],
  ['s3://AKIA:hush@host:99999/bucket', /of the form s3:/],
] as const)
  test(`readBlobUrl() refuses ${JSON.stringify(text)} without showing a secret`, () => {
    assert.throws(
      () => readBlobUrl(text),
      (error: Error) => reason.test(error.message) && !/hush|\n/.test(error.message),
    )
  })

test('nameOfPlace() names bucket, folder and host, and no key', () => {
  assert.equal(nameOfPlace(readBlobUrl('s3://AKIA:hush@host:1/b/x/y?tls=false')), 'b/x/y at host:1')
  assert.equal(nameOfPlace(readBlobUrl('s3://host/b')), 'b at host')
})
