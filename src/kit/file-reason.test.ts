import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileReason, groupFailures } from './file-reason.ts'
import { SluiceError } from './errors.ts'

test('fileReason() gives the reason without the name of the file', () => {
  const { message } = new SluiceError('file_encrypted', { file: 'b.pdf' })
  assert.equal(fileReason('b.pdf', message), 'is protected by a password')
  const type = new SluiceError('file_type_not_accepted', { file: 'a.xyz', type: '.xyz', accepted: '.pdf' })
  assert.equal(fileReason('a.xyz', type.message), 'no loader of this flow reads .xyz; accepted: .pdf')
  const twice = new SluiceError('file_duplicate', { file: 'c.txt' })
  assert.equal(fileReason('c.txt', twice.message), 'The file name this file occurs twice in one request')
  assert.equal(fileReason('', 'a reason'), 'a reason')
})

test('groupFailures() makes one group of equal reasons, with the first names', () => {
  const rows = Array.from({ length: 25 }, (_, at) => ({
    name: `${at}.xyz`,
    code: 'file_type_not_accepted',
    message: `${at}.xyz: no loader of this flow reads .xyz`,
  }))
  const [first, second, ...others] = groupFailures([
    ...rows,
    { name: 'b.pdf', code: 'file_encrypted', message: 'b.pdf is protected by a password' },
  ]).values()
  assert.deepEqual([first!.files, first!.reason], [25, 'no loader of this flow reads .xyz'])
  assert.deepEqual([first!.names.length, first!.names.at(-1)], [20, '19.xyz'])
  assert.deepEqual(second, {
    code: 'file_encrypted',
    reason: 'is protected by a password',
    files: 1,
    names: ['b.pdf'],
  })
  assert.deepEqual(others, [])
})
