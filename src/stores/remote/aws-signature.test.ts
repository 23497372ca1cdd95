import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signatureFor } from '../../../test/support/aws-signature.ts'
import { awsHeaders } from './aws-signature.ts'

const AT = new Date('2015-08-30T12:36:00Z')
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: SECRET,
  region: 'us-east-1',
  service: 'es',
} as const

test('signatureFor() computes the signatures that AWS has published', () => {
  const headers = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' }
  const by = (service: string, names: string, signature: string) =>
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/${service}/aws4_request, SignedHeaders=${names}, Signature=${signature}`
  for (const { authorization, target, more = {} } of [
    {
      // get-vanilla of the test suite of Signature Version 4
      target: '/',
      authorization: by(
        'service',
        'host;x-amz-date',
        '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
      ),
    },
    {
      // the example of the documentation: ListUsers of IAM
      target: '/?Action=ListUsers&Version=2010-05-08',
      more: {
        host: 'iam.amazonaws.com',
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      },
      authorization: by(
        'iam',
        'content-type;host;x-amz-date',
        '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
      ),
    },
  ]) {
    const call = { method: 'GET', target, headers: { ...headers, ...more, authorization }, body: '' }
    const { expected, signature } = signatureFor(call, SECRET)
    assert.equal(expected, signature)
  }
})

test('awsHeaders() signs the method, the path, the query, the headers and the body', async () => {
  const lines = '{"index":{}}\n{"text":"é"}\n'
  for (const { method, target, body } of [
    { method: 'GET', target: '/', body: '' },
    { method: 'POST', target: '/_bulk?require_alias=true', body: lines },
    { method: 'GET', target: '/a-1,a-1-points?ignore_unavailable=true', body: '' },
    { method: 'POST', target: '/a-1/_search?preference=ab&search_type=dfs_query_then_fetch', body: '{}' },
    { method: 'POST', target: '/a%2C1/_search?b=2&a=%C3%A9%20%2B', body: '{}' },
  ]) {
    const url = `https://search-x.us-east-1.es.amazonaws.com${target}`
    const own = { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) }
    const sent = await awsHeaders({ method, url, headers: own, ...(body ? { body } : {}) }, KEYS, AT)
    const headers = { ...sent, host: 'search-x.us-east-1.es.amazonaws.com' }
    const { expected, signature, scope, signed } = signatureFor({ method, target, headers, body }, SECRET)
    assert.equal(signature, expected, target)
    assert.equal(scope, '20150830/us-east-1/es/aws4_request')
    assert.deepEqual(signed, ['accept', 'host', 'x-amz-content-sha256', 'x-amz-date'])
    assert.deepEqual(Object.fromEntries(Object.entries(sent).filter(([name]) => name in own)), own)
  }
})

test('awsHeaders() signs the token of a session', async () => {
  const call = { method: 'GET', url: 'https://x.example/', headers: {} }
  const headers = {
    ...(await awsHeaders(call, { ...KEYS, service: 'aoss', sessionToken: 'token' }, AT)),
    host: 'x.example',
  }
  assert.equal(headers['x-amz-security-token' as keyof typeof headers], 'token')
  const { expected, signature, scope, signed } = signatureFor(
    { ...call, target: '/', headers, body: '' },
    SECRET,
  )
  assert.equal(signature, expected)
  assert.match(scope, /\/aoss\//)
  assert.ok(signed.includes('x-amz-security-token'))
})
