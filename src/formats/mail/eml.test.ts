import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContent, textsIn } from '../../../test/support/read-content.ts'
import { HEADERS, mail, mailOfParts, multipart } from '../../../test/support/small-mails.ts'

/** The text of a mail below its headers. */
const bodyOf = async (content: string | Uint8Array): Promise<string> => {
  const [first] = (await readContent('eml', content)).documents
  return first!.text.slice(first!.text.indexOf('\n\n', first!.text.indexOf('From:')) + 2)
}

test('readMailFile() gives the headers as metadata, and as the beginning of the text [formats:mail]', async () => {
  const headers = {
    ...HEADERS,
    Subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe_?=\r\n =?utf-8?B?YW4gYWxsZQ==?=',
    From: '=?iso-8859-1?Q?J=F6rg?= <joerg@example.org>',
    To: 'bob@example.org,\r\n "Doe, Ann" <ann@example.org>',
    Cc: 'carl@example.org',
    'Message-ID': '<1@example.org>',
  }
  const { documents, notes, dropped } = await readContent('eml', mail(headers, 'Otters swim.\n'))
  assert.deepEqual({ notes, dropped }, { notes: [], dropped: [] })
  assert.deepEqual(documents, [
    {
      text: '# Grüße an alle\n\nFrom: Jörg <joerg@example.org>\nTo: bob@example.org, "Doe, Ann" <ann@example.org>\nCc: carl@example.org\nDate: 2026-11-03T07:15:00Z\n\nOtters swim.',
      metadata: {
        subject: 'Grüße an alle',
        from: 'Jörg <joerg@example.org>',
        to: 'bob@example.org, "Doe, Ann" <ann@example.org>',
        cc: 'carl@example.org',
        date: '2026-11-03T07:15:00Z',
        messageId: '<1@example.org>',
      },
    },
  ])
})

const ENCODED: readonly [encoding: string, headers: Record<string, string>, body: string | Uint8Array][] = [
  ['8bit UTF-8', { 'Content-Type': 'text/plain; charset=utf-8' }, 'Grüße'],
  [
    'quoted-printable Latin-1',
    { 'Content-Type': 'text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding': 'quoted-printable' },
    'Gr=FC=\r\n=DFe',
  ],
  [
    'base64 windows-1252, wrapped',
    { 'Content-Type': 'text/plain; charset=windows-1252', 'Content-Transfer-Encoding': 'BASE64' },
    'R3L8\r\n32U=',
  ],
  ['UTF-7', { 'Content-Type': 'text/plain; charset=utf-7' }, 'Gr+APwA3w-e'],
  ['HTML', { 'Content-Type': 'text/html; charset=iso-8859-1' }, Buffer.from('<p>Gr<b>ü</b>ße', 'latin1')],
]
for (const [encoding, headers, body] of ENCODED)
  test(`readMailFile() decodes ${encoding} [formats:mail]`, async () => {
    const head = Buffer.from(mail({ ...HEADERS, ...headers }, ''))
    assert.equal((await bodyOf(Buffer.concat([head, Buffer.from(body)]))).replaceAll('*', ''), 'Grüße')
  })

test('readMailFile() decodes Latin-1 that nothing declares, or that calls itself ASCII [formats:mail]', async () => {
  const text = 'Die Otter schwimmen über den Fluß und grüßen die Dächse, die früh müde sind.'
  for (const type of ['text/plain', 'text/plain; charset=us-ascii', 'text/plain; charset=unknown-8bit']) {
    const head = Buffer.from(mail({ ...HEADERS, 'Content-Type': type }, ''))
    assert.equal(await bodyOf(Buffer.concat([head, Buffer.from(text, 'latin1')])), text)
  }
})

test('readMailFile() joins the lines of format=flowed', async () => {
  const type = (more: string) => ({ ...HEADERS, 'Content-Type': `text/plain; format=flowed${more}` })
  assert.equal(await bodyOf(mail(type(''), 'Otters \nswim.\n\nThey dive.\n')), 'Otters swim.\n\nThey dive.')
  assert.equal(await bodyOf(mail(type('; delsp=yes'), 'Ot \nters swim.\n')), 'Otters swim.')
})

test('readMailFile() takes the plain form of a text, else the HTML', async () => {
  const plain = { type: 'text/plain', body: 'Plain.' }
  const html = { type: 'text/html', body: '<h1>Rich</h1><p>text' }
  assert.equal(await bodyOf(mailOfParts('alternative', [plain, html])), 'Plain.')
  assert.equal(await bodyOf(mailOfParts('alternative', [{ ...plain, body: ' \n' }, html])), '# Rich\n\ntext')
  const related = multipart('related', [html, { type: 'image/png', body: 'x' }], 'b2')
  const read = await readContent('eml', mailOfParts('alternative', [plain, related]))
  assert.match(read.documents[0]!.text, /\n\nPlain\.$/)
  assert.deepEqual(read.dropped, [{ kind: 'picture', count: 1 }])
})

test('readMailFile() joins the texts between attachments', async () => {
  const text = (body: string) => ({ type: 'text/plain', body })
  const picture = { type: 'image/png', body: 'x' }
  assert.equal(await bodyOf(mailOfParts('mixed', [text('One.'), picture, text('Two.')])), 'One.\n\nTwo.')
})

test('readMailFile() reads a mail whose boundary is broken', async () => {
  const head = (type: string) => ({ ...HEADERS, 'Content-Type': type })
  const parts = '--other\nContent-Type: text/plain\n\nOne.\n--other\nContent-Type: text/html\n\n<p>Two.\n'
  assert.equal(await bodyOf(mail(head('multipart/mixed; boundary="b1"'), parts)), 'One.\n\nTwo.')
  assert.equal(await bodyOf(mail(head('multipart/mixed'), 'Only text.')), 'Only text.')
  const open = mailOfParts('mixed', [{ type: 'text/plain', body: 'One.' }]).replace('--b1--', '')
  assert.equal(await bodyOf(open), 'One.')
})

test('readMailFile() reads a mail without most headers, and refuses bytes without any', async () => {
  assert.deepEqual((await readContent('eml', 'X-Some: thing\r\n\r\nOtters swim.')).documents, [
    { text: 'Otters swim.', metadata: {} },
  ])
  const wrong = { ...HEADERS, Date: 'yesterday', Subject: '=?nonsense?Q?=FC?=' }
  const { documents } = await readContent('eml', mail(wrong, 'x'))
  assert.ok(!('date' in documents[0]!.metadata))
  for (const content of ['no header here\n\nnor here', '\n\n'])
    await assert.rejects(readContent('eml', content), {
      code: 'file_unreadable',
      message: 'file.eml cannot be read: it is not a mail: it has no headers',
    })
})

test('readMailFile() says that a mail is signed or encrypted [formats:mail:protected]', async () => {
  const text = { type: 'text/plain', body: 'Otters swim.' }
  const signature = { type: 'application/pgp-signature', body: 'x' }
  const signed = await readContent('eml', mailOfParts('signed', [text, signature]))
  assert.match(signed.documents[0]!.text, /Otters swim\.$/)
  assert.deepEqual(signed.notes, ['the mail is signed; its signature was not checked'])
  assert.deepEqual(signed.dropped, [])

  const encrypted = [
    mailOfParts('encrypted', [
      { type: 'application/pgp-encrypted', body: 'Version: 1' },
      {
        type: 'application/octet-stream',
        body: 'secret',
        headers: { 'Content-Disposition': 'inline; filename="encrypted.asc"' },
      },
    ]),
    mail({ ...HEADERS, 'Content-Type': 'application/pkcs7-mime; smime-type=enveloped-data' }, 'secret'),
    mail(HEADERS, '-----BEGIN PGP MESSAGE-----\n\nsecret\n-----END PGP MESSAGE-----\n'),
  ]
  for (const content of encrypted) {
    const { documents, notes, dropped } = await readContent('eml', content)
    assert.deepEqual(notes, ['the mail is encrypted: only its headers were read'])
    assert.deepEqual(dropped, [{ kind: 'attachment', count: 1 }])
    assert.equal(documents.length, 1)
    assert.match(documents[0]!.text, /^# The otters/)
    assert.doesNotMatch(documents[0]!.text, /secret/)
  }
  const sealed = { ...HEADERS, 'Content-Type': 'application/pkcs7-mime; smime-type=signed-data' }
  assert.match((await readContent('eml', mail(sealed, 'x'))).notes[0]!, /inside its signature/)
})

test('readMailFile() keeps the first bytes of a long text, and says so', async () => {
  const { documents, notes, dropped } = await readContent('eml', mail(HEADERS, 'Otters swim.'), {
    mailTextBytes: 6,
  })
  assert.match(documents[0]!.text, /\n\nOtters$/)
  assert.deepEqual(notes, ['the last 6 bytes of its text were left out'])
  assert.deepEqual(dropped, [{ kind: 'cutText', count: 6 }])
})

test('readMailFile() keeps as many addresses of a long list as fit in the metadata of a chunk', async () => {
  const To = Array.from({ length: 5000 }, (_, n) => `person${n}@example.org`).join(',\r\n ')
  const { documents } = await readContent('eml', mail({ ...HEADERS, To }, 'x'))
  const { metadata, text } = documents[0]!
  const to = String(metadata.to)
  assert.match(to, /^person0@example\.org, person1@.*example\.org …$/)
  assert.ok(to.length < 4100)
  assert.ok(text.length < 600)
})

test('readMailFile() refuses a header without end, and parts without number', async () => {
  const long = mail({ ...HEADERS, 'X-Long': 'x'.repeat(5000) }, 'x')
  const message =
    'file.eml exceeds a limit of its reader: the header of one of its parts has more than 4096 bytes'
  await assert.rejects(readContent('eml', long, { mailHeaderBytes: 4096 }), {
    code: 'file_over_limit',
    message,
  })
  const many = mailOfParts('mixed', Array(20).fill({ type: 'text/plain', body: 'x' }))
  await assert.rejects(readContent('eml', many, { mailParts: 10 }), {
    code: 'file_over_limit',
    message: 'file.eml exceeds a limit of its reader: it has more than 10 parts',
  })
})

test('readMailFile() ends for any bytes of a damaged mail', async () => {
  const content = Buffer.from(
    mailOfParts('mixed', [
      { ...multipart('alternative', [{ type: 'text/plain', body: 'Plain.' }], 'b2') },
      { type: 'text/html; charset=utf-16', body: '<p>x' },
    ]),
  )
  for (let length = 0; length < content.length; length += 7) {
    const read = readContent('eml', content.subarray(0, length))
    if (length < 5) await assert.rejects(read, { code: 'file_unreadable' })
    else assert.equal(textsIn(await read).length, 1)
  }
})
