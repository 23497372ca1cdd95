import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeMsg } from '../support/msg-writer.ts'
import { makePlatform } from '../support/platform.ts'
import * as files from '../support/small-files.ts'
import { attached, codeCell, HEADERS, mail, mailbox, mailOfParts, notebook } from '../support/small-mails.ts'

const platform = await makePlatform()

const TEXT = { type: 'text/plain', body: 'The heron waits by the river.' }

test('a mail is loaded with its attachments as one source, and found by its facts [formats:mail, formats:mail:attachments]', async () => {
  const flow = await platform.flow({})
  const content = mailOfParts('mixed', [
    TEXT,
    attached('habits.docx', 'application/octet-stream', files.docx('The badger digs at night.')),
    attached('song.mp3', 'audio/mpeg', new Uint8Array([1, 0, 2, 0])),
  ])
  const { body, text } = await platform.upload(flow, { 'otters.eml': content })
  assert.equal(body.numFailed, 0, text)
  assert.deepEqual(
    body.warnings.map(({ reason }) => reason),
    ['song.mp3 was not read: there is no reader for its type'],
  )
  const found = await platform.query(flow, {
    query: 'badger',
    topK: 1,
    filter: { attachment: 'habits.docx', from: { $contains: 'ann@example.org' }, date: { $gte: '2026-11' } },
  })
  assert.equal(found.status, 200, found.text)
  assert.match(found.body.docs[0]!.pageContent, /badger digs/)
  assert.equal(found.body.docs[0]!.metadata.source, 'otters.eml')
  const again = await platform.upload(flow, { 'otters.eml': content })
  assert.equal(again.body.files[0]!.status, 'unchanged')
})

const LOADED: readonly (readonly [
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  metadata: object,
])[] = [
  ['one.mbox', mailbox([mail(HEADERS, 'x'), mail(HEADERS, 'The heron waits.')]), { mailNumber: 2 }],
  [
    'one.msg',
    Uint8Array.from(writeMsg({ subject: 'Birds', body: 'The heron waits.' })),
    { subject: 'Birds' },
  ],
  [
    'one.ipynb',
    notebook([codeCell('x = 1'), codeCell('bird = "heron waits"')]),
    { cell: 2, language: 'python' },
  ],
]
for (const [name, content, metadata] of LOADED)
  test(`${name} is loaded by the loader of all files [formats:mail:mbox, formats:mail:msg, formats:notebook]`, async () => {
    const flow = await platform.flow({})
    const { body, text } = await platform.upload(flow, { [name]: content })
    assert.equal(body.numFailed, 0, text)
    const found = await platform.query(flow, { query: 'heron waits', topK: 1 })
    assert.match(found.body.docs[0]!.pageContent, /heron waits/)
    assert.partialDeepStrictEqual(found.body.docs[0]!.metadata, { source: name, ...metadata })
  })

test('what is called a mail or a notebook and is none fails alone, with the reason [formats:mail]', async () => {
  const flow = await platform.flow({})
  const { body } = await platform.upload(flow, {
    'a.eml': 'no headers\n\nnone',
    'b.msg': 'text',
    'c.ipynb': '{"cells": [',
    'd.txt': 'The heron waits.',
  })
  assert.deepEqual(
    body.files.map(({ name, status, code }) => `${name} ${status} ${code ?? ''}`.trim()),
    [
      'a.eml failed file_unreadable',
      'b.msg failed file_unreadable',
      'c.ipynb failed file_unreadable',
      'd.txt indexed',
    ],
  )
})
