import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect } from '../../../test/support/collect.ts'
import { readContent } from '../../../test/support/read-content.ts'
import { attached, HEADERS, mail, mailbox, mailOfParts } from '../../../test/support/small-mails.ts'
import { mailsIn } from './mbox-mails.ts'

test('readMailbox() gives a document per mail, with its number [formats:mail:mbox]', async () => {
  const rows = attached('rows.csv', 'text/csv', 'name\nOtter\n')
  const mails = [
    mail(HEADERS, 'Otters swim.\n'),
    mailOfParts('mixed', [{ type: 'text/plain', body: 'See.' }, rows]),
    mail({ ...HEADERS, Subject: 'Badgers' }, 'From here on they dig.\n\n>From there too.\n'),
  ]
  const { documents, notes } = await readContent('mbox', mailbox(mails))
  assert.deepEqual(
    documents.map(({ metadata }) => [metadata.mailNumber, metadata.subject, metadata.attachment]),
    [
      [1, 'The otters', undefined],
      [2, 'The otters', undefined],
      [2, 'The otters', 'rows.csv'],
      [3, 'Badgers', undefined],
    ],
  )
  assert.match(documents[3]!.text, /\n\nFrom here on they dig\.\n\n>From there too\.$/)
  assert.deepEqual(notes, [])
})

test('readMailbox() tells which mails cannot be read, and reads the others', async () => {
  const content = mailbox([mail(HEADERS, 'One.'), 'no header\n\nx', mail(HEADERS, 'Three.')])
  const { documents, notes, dropped } = await readContent('mbox', content)
  assert.deepEqual(
    documents.map(({ metadata }) => metadata.mailNumber),
    [1, 3],
  )
  assert.deepEqual(notes, ['mail 2 cannot be read: it is not a mail: it has no headers'])
  assert.deepEqual(dropped, [{ kind: 'attachment', count: 1, place: { part: 'mail 2' } }])
})

test('readMailbox() refuses a file in which no mail begins', async () => {
  const reasons = {
    'Just text.': 'it has no line that begins a mail',
    '': 'it has no line that begins a mail',
  }
  for (const [content, reason] of Object.entries(reasons))
    await assert.rejects(readContent('mbox', content), {
      code: 'file_unreadable',
      message: `file.mbox cannot be read: ${reason}`,
    })
  await assert.rejects(readContent('mbox', mailbox(['x', 'y'])), /none of its mails can be read/)
})

test('readMailbox() gives each mail the limits of one', async () => {
  const file = attached('rows.csv', 'text/csv', 'name\nOtter\n')
  const content = mailbox(Array(5).fill(mailOfParts('mixed', [{ type: 'text/plain', body: 'x' }, file])))
  const { documents, notes } = await readContent('mbox', content, { insideFiles: 1, insideBytes: 20 })
  assert.equal(documents.length, 10)
  assert.deepEqual(notes, [])
})

test('readMailbox() counts what it cannot name of many mails', async () => {
  const song = attached('song.mp3', 'audio/mpeg', new Uint8Array([1, 0, 2, 0]))
  const one = mailOfParts('mixed', [{ type: 'text/plain', body: 'x' }, song])
  const { notes, dropped } = await readContent('mbox', mailbox(Array(100).fill(one)))
  assert.equal(notes.length, 21)
  assert.equal(notes.at(-1), 'and 80 more notes like these')
  assert.equal(dropped.length, 21)
  assert.deepEqual(dropped[0]!.place, { part: 'mail 1/song.mp3' })
  assert.deepEqual(dropped.at(-1), { kind: 'attachment', count: 80 })
})

test('mailsIn() cuts at the same places whatever the pieces are', async () => {
  const content = Buffer.from(
    `Text before.\n${mailbox([mail(HEADERS, `a\n\nFrom us.\n>>From\n${'x'.repeat(600)}From 1:00 2026\n`), mail(HEADERS, '')])}`,
  )
  const mailsOf = async (size: number) => {
    const pieces = Array.from({ length: Math.ceil(content.length / size) }, (_, n) =>
      content.subarray(n * size, (n + 1) * size),
    )
    const mails: string[] = []
    for await (const one of mailsIn(pieces)) mails.push(Buffer.concat(await collect(one)).toString())
    return mails
  }
  const whole = await mailsOf(content.length)
  assert.equal(whole.length, 2)
  assert.match(whole[0]!, /^From: Ann Otter.*\r\n\r\nFrom us\.\r\n>>From\r\n/s)
  for (const size of [1, 2, 3, 7, 50, 511, 512, 513]) assert.deepEqual(await mailsOf(size), whole, `${size}`)
})

test('mailsIn() goes on to the next mail where one was left', async () => {
  const content = Buffer.from(mailbox([mail(HEADERS, 'x'), mail(HEADERS, 'y')]))
  let mails = 0
  for await (const one of mailsIn([content])) {
    mails++
    for await (const _ of one) break
  }
  assert.equal(mails, 2)
})
