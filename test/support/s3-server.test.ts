import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { AwsV4Signer } from 'aws4fetch'
import { newBucket, objectsOf, s3Call, s3Server } from './s3-server.ts'
import { needs } from './needs.ts'

await needs('the S3 server of the tests')

const { endpoint, ...keys } = await s3Server()
const bucket = await newBucket()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function put(name: string, body: string, headers: Record<string, string> = {}, given = keys) {
  const url = new URL(`/${bucket}/${name}`, endpoint)
  const signer = new AwsV4Signer({
    method: 'PUT',
    url: url.href,
    headers,
    ...given,
    service: 's3',
    region: 'us-east-1',
  })
  const signed = await signer.sign()
  return fetch(url, { method: 'PUT', headers: signed.headers, body })
}

test('s3Server() stores an object, lists it and gives ranges of it', async () => {
  assert.equal((await put('a/b', 'some words')).status, 200)
  assert.deepEqual(await objectsOf(bucket), ['a/b'])
  assert.equal(await (await s3Call('GET', `/${bucket}/a/b`)).text(), 'some words')
})

test('s3Server() refuses a wrong secret, a wrong hash and a conditional put onto an object', async () => {
  const wrong = await put('c', 'words', {}, { ...keys, secretAccessKey: 'wrong' })
  assert.deepEqual(
    [wrong.status, /<Code>([^<]*)/.exec(await wrong.text())![1]],
    [403, 'SignatureDoesNotMatch'],
  )
  assert.equal((await put('c', 'words', { 'x-amz-content-sha256': sha256('other') })).status, 400)
  assert.equal((await put('c', 'words', { 'x-amz-content-sha256': sha256('words') })).status, 200)
  assert.equal((await put('c', 'other', { 'if-none-match': '*' })).status, 412)
  assert.equal(await (await s3Call('GET', `/${bucket}/c`)).text(), 'words')
})

test('newBucket() gives every caller an empty bucket', async () => {
  assert.deepEqual(await objectsOf(await newBucket()), [])
})
