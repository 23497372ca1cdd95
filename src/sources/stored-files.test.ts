import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStoredFiles } from './stored-files.ts'

const base64 = Buffer.from('Otter').toString('base64')
const inline = (name: string) => `data:text/plain;base64,${base64},filename:${name}`

for (const [value, files] of [
  ['', []],
  [inline('a.txt'), [{ name: 'a.txt', base64 }]],
  [inline('a, b,filename:c.txt'), [{ name: 'a, b,filename:c.txt', base64 }]],
  [`data:text/plain;charset=utf-8;base64,${base64}`, [{ name: 'node', base64 }]],
  [
    JSON.stringify([inline('a.txt'), inline('b,c.txt')]),
    [
      { name: 'a.txt', base64 },
      { name: 'b,c.txt', base64 },
    ],
  ],
  ['FILE-STORAGE::a, b.pdf', [{ name: 'a, b.pdf' }]],
  ['FILE-STORAGE::["a.pdf","b,c.pdf"]', [{ name: 'a.pdf' }, { name: 'b,c.pdf' }]],
  ['FILE-STORAGE::[draft] plan.pdf', [{ name: '[draft] plan.pdf' }]],
  ['data:text/plain,Otter', [{ name: 'data:text/plain,Otter' }]],
  ['[]', []],
] as const)
  test(`parseStoredFiles() reads ${JSON.stringify(value)}`, () => {
    assert.deepEqual(parseStoredFiles(value, 'node'), files)
  })
