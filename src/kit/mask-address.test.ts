import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskAddress } from './mask-address.ts'

for (const [address, shown] of [
  ['postgres://user:pa55word@host:5432/db', 'postgres://user:••••@host:5432/db'],
  ['postgres://user:p@ss/w:rd@host/db', 'postgres://user:••••@host/db'],
  ['postgres://user:p?ss@host/db', 'postgres://user:••••@host/db'],
  ['https://sk-token@proxy.example/v1', 'https://••••@proxy.example/v1'],
  [
    'https://gate.example/v1?api-version=2024&api_key=abcdef#x',
    'https://gate.example/v1?api-version=2024&api_key=••••#x',
  ],
  ['host=db user=me password=hush dbname=x', 'host=db user=me password=•••• dbname=x'],
  ["password='two words' host=db", 'password=•••• host=db'],
  ['http://localhost:11434', 'http://localhost:11434'],
  ['127.0.0.1', '127.0.0.1'],
] as const)
  test(`maskAddress shows ${shown}`, () => assert.equal(maskAddress(address), shown))
