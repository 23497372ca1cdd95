import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCompound } from '../../../test/support/compound-writer.ts'
import { type OutlookMail, writeMsg } from '../../../test/support/msg-writer.ts'
import { randomBelow } from '../../../test/support/random.ts'
import { readContent } from '../../../test/support/read-content.ts'
import { png } from '../../../test/support/small-files.ts'
import { SluiceError } from '../../kit/errors.ts'

const MAIL = {
  subject: 'Grüße',
  from: ['Ann Otter', 'ann@example.org'],
  to: [
    ['Bob', 'bob@example.org'],
    ['carl@example.org', 'carl@example.org'],
  ],
  cc: [['Dora', '/O=ORG/CN=DORA']],
  sent: new Date('2026-11-03T07:15:00Z'),
  messageId: '<1@example.org>',
  body: 'Otters swim.\r\n\r\nThey dive.\r\n',
} satisfies OutlookMail

test('readOutlookMail() gives the same text and metadata as of a mail as text [formats:mail:msg]', async () => {
  const { documents, notes, dropped } = await readContent('msg', writeMsg(MAIL))
  assert.deepEqual({ notes, dropped }, { notes: [], dropped: [] })
  assert.deepEqual(documents, [
    {
      text: '# Grüße\n\nFrom: Ann Otter <ann@example.org>\nTo: Bob <bob@example.org>, carl@example.org\nCc: Dora\nDate: 2026-11-03T07:15:00Z\n\nOtters swim.\n\nThey dive.',
      metadata: {
        subject: 'Grüße',
        from: 'Ann Otter <ann@example.org>',
        to: 'Bob <bob@example.org>, carl@example.org',
        cc: 'Dora',
        date: '2026-11-03T07:15:00Z',
        messageId: '<1@example.org>',
      },
    },
  ])
})

test('readOutlookMail() reads HTML in its code page where there is no plain text', async () => {
  const { body: _, ...rest } = MAIL
  const html = Buffer.from('<p>Gr<b>ü</b>ße', 'latin1')
  const { documents } = await readContent('msg', writeMsg({ ...rest, html, codePage: 1252 }))
  assert.match(documents[0]!.text, /\n\nGrüße$/)
})

test('readOutlookMail() reads a text that is only there as rich text, and tells of one that is damaged [formats:mail:msg]', async () => {
  const { body: _, ...rest } = MAIL
  // What Outlook makes of HTML: the tags in groups of their own, what only rich text needs between \\htmlrtf and \\htmlrtf0.
  const text = Buffer.from(
    "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 Otters swim.\\htmlrtf \\par}\\htmlrtf0 {\\*\\htmltag72 </p>}Gr\\'fc\\'dfe}",
  )
  const head = Buffer.alloc(16)
  head.writeUInt32LE(12 + text.length, 0)
  head.writeUInt32LE(text.length, 4)
  head.write('MELA', 8)
  const rtf = Buffer.concat([head, text])
  const whole = await readContent('msg', writeMsg({ ...rest, rtf }))
  assert.match(whole.documents[0]!.text, /\n\nOtters swim\.\s+Grüße$/)
  assert.deepEqual([whole.notes, whole.dropped], [[], []])
  const cut = await readContent('msg', writeMsg({ ...rest, rtf: rtf.subarray(0, -20) }))
  assert.match(cut.documents[0]!.text, /\n\nOtters swim\./)
  assert.ok(
    cut.notes.includes('its text, which is only there as RTF, is damaged or too large'),
    `${cut.notes}`,
  )
})

test('readOutlookMail() reads attachments and mails inside it [formats:mail:msg]', async () => {
  const rows = Buffer.from(`name\n${'Otter\n'.repeat(2000)}`)
  const inner: OutlookMail = {
    subject: 'Before',
    body: 'Badgers dig.',
    attachments: [{ name: 'deep.txt', content: Buffer.from('Deep.') }],
  }
  const attachments = [
    { name: 'rows.csv', content: rows },
    { name: 'photo.png', mediaType: 'image/png', content: png() },
    { name: 'Before', content: inner },
    { name: 'song.mp3', content: new Uint8Array([1, 0, 2, 0]) },
  ]
  const { documents, notes, dropped } = await readContent('msg', writeMsg({ ...MAIL, attachments }))
  assert.equal(documents.filter(({ metadata }) => metadata.attachment === 'rows.csv').length, 2000)
  assert.equal(documents[1]!.metadata.subject, 'Grüße')
  assert.deepEqual(documents.at(-2), {
    text: '# Before\n\nAttachments: deep.txt\n\nBadgers dig.',
    metadata: { subject: 'Before', attachment: 'Before.eml' },
  })
  assert.deepEqual(documents.at(-1), {
    text: 'Deep.',
    metadata: { subject: 'Before', attachment: 'Before.eml/deep.txt' },
  })
  assert.deepEqual(notes, ['song.mp3 was not read: there is no reader for its type'])
  assert.deepEqual(dropped, [
    { kind: 'picture', count: 1 },
    { kind: 'attachment', count: 1, place: { part: 'song.mp3' } },
  ])
})

test('readOutlookMail() stops at mails inside one another too deep, and at too many files [formats:mail:limits]', async () => {
  let nested: OutlookMail = { subject: 'innermost', body: 'x' }
  for (let depth = 0; depth < 50; depth++)
    nested = { subject: `depth ${depth}`, body: 'x', attachments: [{ name: 'm', content: nested }] }
  const deep = await readContent('msg', writeMsg(nested))
  assert.equal(deep.documents.length, 11)
  assert.match(deep.notes.join(), /m\.eml was not read: files are inside one another more than 10 deep$/)

  const attachments = Array.from({ length: 12 }, (_, n) => ({
    name: `${n}.txt`,
    content: Buffer.from(`${n}`),
  }))
  const many = await readContent('msg', writeMsg({ ...MAIL, attachments }), { insideFiles: 10 })
  assert.equal(many.documents.length, 11)
  assert.deepEqual(many.notes, ['2 more attachments were not read: a mail may have 10'])
  const large = await readContent('msg', writeMsg({ ...MAIL, attachments }), { insideBytes: 1 })
  assert.equal(large.documents.length, 2)
})

test('readOutlookMail() says that a mail is signed or encrypted', async () => {
  for (const [messageClass, note] of [
    ['IPM.Note.SMIME.MultipartSigned', 'the mail is signed; its signature was not checked'],
    ['IPM.Note.SMIME', 'the mail is encrypted or signed as a whole: only its headers were read'],
  ] as const)
    assert.deepEqual((await readContent('msg', writeMsg({ ...MAIL, messageClass }))).notes, [note])
})

test('readOutlookMail() refuses other compound files, and large ones', async () => {
  await assert.rejects(readContent('msg', writeCompound({ WordDocument: Buffer.from('x') })), {
    code: 'file_unreadable',
    message: 'file.msg cannot be read: it is not an Outlook mail',
  })
  await assert.rejects(readContent('msg', writeMsg(MAIL), { documentBytes: 100 }), {
    code: 'file_over_limit',
  })
})

test('readOutlookMail() ends for any damaged file', async () => {
  const whole = writeMsg({
    ...MAIL,
    attachments: [
      { name: 'rows.csv', content: Buffer.from(`name\n${'x'.repeat(5000)}\n`) },
      { name: 'm', content: MAIL },
    ],
  })
  const random = randomBelow(7)
  for (let round = 0; round < 150; round++) {
    const bytes = Buffer.from(whole)
    // mostly the numbers of the header, the tables and the directory, which are what may lead astray
    for (let change = 0; change < 4; change++)
      bytes.writeUInt32LE([0, 1, 2, 0xfffffffe, 0x7fffffff][random(5)]!, 4 * random(bytes.length / 4))
    if (round % 3 === 0) bytes.writeUInt32LE(random(100), 44 + 4 * random(20))
    const end = round % 5 === 0 ? random(bytes.length) : bytes.length
    try {
      await readContent('msg', bytes.subarray(0, end))
    } catch (error) {
      assert.ok(error instanceof SluiceError, `round ${round}: ${error}`)
    }
  }
})
