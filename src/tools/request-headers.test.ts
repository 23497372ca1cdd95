import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretsIn } from './request-headers.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

const ADDRESSES: [address: string, secrets: string[]][] = [
  ['https://name:pass%20word@api.test/', ['pass word', base64('name:pass word')]],
  ['https://name:50%zz@api.test/', ['50%zz', base64('name:50%zz')]],
  ['https://token@api.test/', [base64('token:')]],
  ['https://api.test/?api_key=abc&page=1', ['abc']],
  ['https://api.test/', []],
]

for (const [address, secrets] of ADDRESSES)
  test(`secretsIn() finds the secrets in ${address}`, () => assert.deepEqual(secretsIn({}, address), secrets))
