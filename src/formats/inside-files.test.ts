import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContent, textsIn } from '../../test/support/read-content.ts'
import { docx, encryptedPdf, pdf, png, xlsx } from '../../test/support/small-files.ts'
import { attached, HEADERS, mail, mailOfParts } from '../../test/support/small-mails.ts'
import { writeZip } from '../../test/support/zip-writer.ts'

const TEXT = { type: 'text/plain', body: 'See the files.' }
const withFiles = (...files: Parameters<typeof attached>[]) =>
  mailOfParts('mixed', [TEXT, ...files.map((file) => attached(...file))])

const OCTETS = 'application/octet-stream'

test('insideFiles() reads attachments with the readers of their types, and names them [formats:mail:attachments]', async () => {
  const content = withFiles(
    ['rows.csv', 'text/csv', 'name\nOtter\n'],
    ['text.docx', OCTETS, docx('Otters swim.')],
    ['page.pdf', OCTETS, pdf('Otters dive.')],
    ['sheet.xlsx', OCTETS, xlsx('Otters eat.')],
    ['notes', 'application/json', '{"animal":"otter"}'],
    ['photo.png', 'image/png', png()],
  )
  const { documents, notes, dropped } = await readContent('eml', content)
  assert.deepEqual(
    documents.map(({ text, metadata }) => [metadata.attachment, text.replace(/^.*\n\n/s, '')]),
    [
      [undefined, 'See the files.'],
      ['rows.csv', 'name: Otter'],
      ['text.docx', 'Otters swim.'],
      ['page.pdf', 'Otters dive.'],
      ['sheet.xlsx', '- note: Otters eat.'],
      ['notes.json', 'animal: otter'],
    ],
  )
  for (const { metadata } of documents) assert.equal(metadata.subject, HEADERS.Subject)
  assert.deepEqual(documents[3]!.metadata.loc, { pageNumber: 1 })
  assert.deepEqual({ notes, dropped }, { notes: [], dropped: [{ kind: 'picture', count: 1 }] })
})

test('insideFiles() decodes the names of attachments [formats:mail:attachments]', async () => {
  const named = (disposition: string) =>
    mailOfParts('mixed', [
      TEXT,
      { type: 'text/csv', body: 'a\n1', headers: { 'Content-Disposition': `attachment; ${disposition}` } },
    ])
  const cases = [
    ["filename*=utf-8''t%C3%A4ble.csv", 'täble.csv'],
    ["filename*0*=utf-8''t%C3%A4b;\r\n filename*1=le.csv", 'täble.csv'],
    ['filename="=?iso-8859-1?Q?t=E4ble=2Ecsv?="', 'täble.csv'],
    ['filename="C:\\\\files\\\\table.csv"', 'table.csv'],
    ['filename="../../table.csv"', 'table.csv'],
    [`filename="${'x'.repeat(500)}.csv"`, `${'x'.repeat(195)}….csv`],
    ['', 'attachment-1.csv'],
  ] as const
  for (const [disposition, name] of cases)
    assert.equal((await readContent('eml', named(disposition))).documents[1]!.metadata.attachment, name)
})

test('insideFiles() reads a mail inside a mail, with its own facts [formats:mail:attachments]', async () => {
  const headers = { From: 'carl@example.org', Subject: 'Before' }
  const parts = [TEXT, attached('rows.csv', 'text/csv', 'name\nOtter\n')]
  const inner = mailOfParts('mixed', parts, { headers, boundary: 'b2' })
  const { documents } = await readContent(
    'eml',
    mailOfParts('mixed', [TEXT, { type: 'message/rfc822', body: inner.trimEnd() }]),
  )
  const facts = { subject: 'Before', from: 'carl@example.org' }
  const [, mailInside, rows] = documents
  assert.deepEqual(mailInside!.metadata, { ...facts, attachment: 'attachment-1.eml' })
  assert.deepEqual(rows!.metadata, { ...facts, attachment: 'attachment-1.eml/rows.csv' })
})

test('insideFiles() tells what no reader reads, and reads the others [formats:mail:attachments]', async () => {
  const content = withFiles(
    ['song.mp3', 'audio/mpeg', new Uint8Array([1, 0, 2, 0])],
    ['secret.pdf', OCTETS, encryptedPdf()],
    ['broken.docx', OCTETS, 'no archive'],
    ['none.txt', 'text/plain', ''],
    ['rows.csv', 'text/csv', 'name\nOtter\n'],
  )
  const { documents, notes, dropped } = await readContent('eml', content)
  assert.deepEqual(notes, [
    'song.mp3 was not read: there is no reader for its type',
    'secret.pdf is protected by a password',
    'broken.docx cannot be read: its content is text, not a Word document',
    'none.txt is empty',
  ])
  assert.deepEqual(
    dropped.map(({ kind, place }) => [kind, place?.part]),
    ['song.mp3', 'secret.pdf', 'broken.docx'].map((name) => ['attachment', name]),
  )
  assert.equal(documents.at(-1)!.text, 'name: Otter')
})

test('insideFiles() refuses a bomb inside a mail, and reads the rest [formats:mail:limits]', async () => {
  const bomb = writeZip({ 'word/document.xml': Buffer.alloc(50_000_000, 'x') })
  const { documents, notes } = await readContent(
    'eml',
    withFiles(['bomb.docx', OCTETS, bomb], ['rows.csv', 'text/csv', 'name\nOtter\n']),
  )
  assert.deepEqual(notes, [
    'bomb.docx exceeds a limit of its reader: word/document.xml inside it is too large',
  ])
  assert.equal(documents.at(-1)!.text, 'name: Otter')
})

test('insideFiles() closes a document of which only the beginning can be read', async () => {
  const content = withFiles(['long.txt', 'text/plain', 'Otters swim.\n'.repeat(50_000)])
  const limits = { textLength: 300_000, textRatio: 0 }
  const { documents, notes, dropped } = await readContent('eml', content, limits)
  assert.equal(documents.length, 2)
  assert.match(documents[1]!.text, /^Otters swim\./)
  assert.deepEqual(notes, [
    'long.txt exceeds a limit of its reader: its text is longer than 0 million characters; its beginning was read',
  ])
  assert.equal(dropped.length, 1)
})

test('insideFiles() reads as many attachments as there may be, and counts the others [formats:mail:limits]', async () => {
  const rows = Array.from(
    { length: 10_000 },
    (_, n): Parameters<typeof attached> => [`rows${n}.csv`, 'text/csv', `name\nOtter ${n}\n`],
  )
  const { documents, notes, dropped } = await readContent('eml', withFiles(...rows))
  assert.equal(documents.length, 1001)
  assert.equal(documents.at(-1)!.text, 'name: Otter 999')
  assert.deepEqual(notes, ['9000 more attachments were not read: a mail may have 1000'])
  assert.deepEqual(dropped, [{ kind: 'attachment', count: 9000 }])
})

test('insideFiles() stops at mails that are inside one another too deep [formats:mail:limits]', async () => {
  let nested = mail(HEADERS, 'the innermost')
  const headers = { 'Content-Disposition': 'attachment; filename="m.eml"' }
  for (let depth = 0; depth < 50; depth++)
    nested = mailOfParts('mixed', [TEXT, { type: 'message/rfc822', headers, body: nested }], {
      boundary: `depth${depth}`,
    })
  const { documents, notes, dropped } = await readContent('eml', nested)
  assert.equal(documents.length, 11)
  assert.equal(documents.at(-1)!.metadata.attachment, Array(10).fill('m.eml').join('/'))
  const where = 'm.eml: '.repeat(10)
  assert.deepEqual(notes, [`${where}m.eml was not read: files are inside one another more than 10 deep`])
  assert.deepEqual(dropped, [
    { kind: 'attachment', count: 1, place: { part: Array(11).fill('m.eml').join('/') } },
  ])
})

test('insideFiles() shares the limits among mails inside one another [formats:mail:limits]', async () => {
  const file = (n: number): Parameters<typeof attached> => [`rows${n}.txt`, 'text/plain', `${n}`.repeat(100)]
  const parts = [TEXT, attached(...file(1)), attached(...file(2))]
  const inner = mailOfParts('mixed', parts, { boundary: 'b2' })
  const content = withFiles(['a.eml', 'message/rfc822', inner], file(3), file(4))
  const count = async (limits: object) => textsIn(await readContent('eml', content, limits)).length
  assert.equal(await count({}), 6)
  assert.equal(await count({ insideFiles: 4 }), 5)
  const { notes } = await readContent('eml', content, { insideBytes: inner.length + 250 })
  assert.deepEqual(notes, [
    'a.eml: rows1.txt was not read: the attachments of the mail are too large together',
    'a.eml: rows2.txt was not read: the attachments of the mail are too large together',
  ])
})

test('insideFiles() leaves an attachment that takes too long, and reads the others [formats:mail:limits]', async () => {
  const content = withFiles(['rows.csv', 'text/csv', 'name\nOtter\n'])
  const { documents, notes } = await readContent('eml', content, { insideSeconds: 0 })
  assert.equal(documents.length, 1)
  assert.deepEqual(notes, ['rows.csv took longer to read than 0 seconds'])
})
