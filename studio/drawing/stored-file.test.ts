import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStoredFilesOfServer } from '../../test/support/stored-files.ts'
import { storedFileName, storedFileOf, storedFiles, storedFilesValue } from './stored-file.ts'

const one = storedFileOf('data:text/plain;base64,aGVsbG8=', 'a, b.txt')
const two = storedFileOf('data:;base64,', 'empty.txt')

test('storedFilesValue() writes what the server reads from a file input', () => {
  assert.deepEqual(parseStoredFilesOfServer(storedFilesValue([one])), [
    { name: 'a_ b.txt', base64: 'aGVsbG8=' },
  ])
  assert.deepEqual(
    parseStoredFilesOfServer(storedFilesValue([one, two])).map(({ name }) => name),
    ['a_ b.txt', 'empty.txt'],
  )
  assert.equal(storedFilesValue([]), '')
})

test('storedFiles() reads back each file with its name', () => {
  assert.deepEqual(storedFiles(storedFilesValue([one, two])).map(storedFileName), ['a_ b.txt', 'empty.txt'])
  assert.deepEqual(storedFiles('FILE-STORAGE::["x.pdf","y.pdf"]').map(storedFileName), ['x.pdf', 'y.pdf'])
  assert.deepEqual(storedFiles(''), [])
  assert.equal(storedFileName('data:text/plain;base64,aGVsbG8='), 'a file without a name')
})
