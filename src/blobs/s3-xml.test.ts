import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readS3Xml } from './s3-xml.ts'

const LIST = `<?xml version="1.0"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <IsTruncated>true</IsTruncated>
  <Contents><Key>a &amp; b</Key><Size>3</Size><Owner><ID>o</ID></Owner></Contents>
  <NextContinuationToken>t1</NextContinuationToken>
  <Contents><Key>c</Key></Contents>
</ListBucketResult>`

test('readS3Xml() reads the rows of a list and the texts beside them, and nothing deeper', () => {
  const { root, rows } = readS3Xml(LIST, 'Contents')
  assert.deepEqual(rows, [{ Key: 'a & b', Size: '3', Owner: '' }, { Key: 'c' }])
  assert.deepEqual(root, { IsTruncated: 'true', NextContinuationToken: 't1' })
})

test('readS3Xml() reads an answer without rows', () => {
  const { root, rows } = readS3Xml('<R><UploadId> x y </UploadId><Empty/></R>')
  assert.deepEqual([root, rows], [{ UploadId: ' x y ', Empty: '' }, []])
})

test('readS3Xml() has no row of a name that is deeper or is the root', () => {
  assert.deepEqual(readS3Xml('<Row><List><Row><A>1</A></Row></List></Row>', 'Row').rows, [])
})

test('readS3Xml() fails on what is no XML', () => {
  for (const text of ['', 'not found', '<a><b></a>', '<a>']) assert.throws(() => readS3Xml(text))
})
