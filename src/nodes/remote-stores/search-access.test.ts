import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudAddress, elasticsearchAccess, openSearchAccess } from './search-access.ts'

test('cloudAddress() reads a Cloud ID, and takes an address as it is', () => {
  const id = `my:${Buffer.from('eu.example.com:9243$abc$def').toString('base64')}`
  assert.equal(cloudAddress(id), 'https://abc.eu.example.com:9243')
  assert.equal(cloudAddress('http://localhost:9200'), 'http://localhost:9200')
  assert.throws(() => cloudAddress('no cloud id'), /not valid/)
})

test('openSearchAccess() reads a credential of before, one with an authority, and keys of AWS', () => {
  const openSearchUrl = 'https://a.example, https://b.example'
  assert.deepEqual(openSearchAccess({ openSearchUrl }), { baseURL: openSearchUrl, headers: {} })
  assert.deepEqual(openSearchAccess({ openSearchUrl, user: 'me', password: 'pw', ca: 'PEM' }), {
    baseURL: openSearchUrl,
    headers: { authorization: `Basic ${btoa('me:pw')}` },
    ca: 'PEM',
  })
  const keys = { awsKey: 'AKID', awsSecret: 'secret' }
  const domain = 'https://search-docs-x.eu-west-1.es.amazonaws.com'
  assert.deepEqual(openSearchAccess({ ...keys, openSearchUrl: domain }).aws, {
    ...{ accessKeyId: 'AKID', secretAccessKey: 'secret', region: 'eu-west-1', service: 'es' },
  })
  const serverless = { ...keys, openSearchUrl: 'https://x.us-east-2.aoss.amazonaws.com', awsSession: 'token' }
  assert.partialDeepStrictEqual(openSearchAccess(serverless).aws, {
    ...{ sessionToken: 'token', region: 'us-east-2', service: 'aoss' },
  })
  const own = { ...keys, openSearchUrl: 'https://docs.example', region: 'eu-west-1' }
  assert.partialDeepStrictEqual(openSearchAccess(own).aws, { region: 'eu-west-1', service: 'es' })
})

test('openSearchAccess() names what is missing or wrong among keys of AWS', () => {
  const keys = { openSearchUrl: 'https://docs.example', awsKey: 'AKID', awsSecret: 'secret' }
  assert.throws(() => openSearchAccess(keys), /has no region/)
  assert.throws(() => openSearchAccess({ ...keys, region: 'x', service: 's3' }), /neither es nor aoss/)
})

test('elasticsearchAccess() takes a key as it is sent and as id:key', () => {
  for (const apiKey of ['VuaCfGcBCdbkQm:ui2lp2axTN', btoa('VuaCfGcBCdbkQm:ui2lp2axTN')])
    assert.deepEqual(elasticsearchAccess({ endpoint: 'https://a.example', apiKey }), {
      baseURL: 'https://a.example',
      headers: { authorization: `ApiKey ${btoa('VuaCfGcBCdbkQm:ui2lp2axTN')}` },
    })
  assert.deepEqual(elasticsearchAccess({ cloudId: 'https://a.example', username: 'me', password: 'pw' }), {
    baseURL: 'https://a.example',
    headers: { authorization: `Basic ${btoa('me:pw')}` },
  })
})
