import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStream, streamTexts } from '../../test/support/read-stream.ts'
import { readIcs } from './ics.ts'

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

test('readIcs gives a document per event with its facts [formats:calendar]', async () => {
  const first = event(
    'UID:1@zoo',
    'SUMMARY:Feeding\\, otters',
    'DTSTART;TZID="Europe/Berlin":20260301T100000',
    'DTEND;TZID=Europe/Berlin:20260301T113000',
    'LOCATION:Pool 2',
    'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20260630T000000Z',
    'ORGANIZER;CN="Ada; L.":mailto:ada@zoo.example',
    'ATTENDEE:mailto:bob@zoo.example',
    'ATTENDEE;CN=Eve:MAILTO:eve@zoo.example',
    'STATUS:TENTATIVE',
    'DESCRIPTION:Bring fish.\\nWear',
    '  boots.',
    'BEGIN:VALARM',
    'DESCRIPTION:Reminder',
    'END:VALARM',
  )
  assert.deepEqual(
    await readStream(readIcs, calendar('BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'END:VTIMEZONE', ...first)),
    [
      {
        pageContent: `Feeding, otters
When: 2026-03-01 10:00 to 2026-03-01 11:30 (Europe/Berlin)
Where: Pool 2
Repeats: every 2 weeks on Mon, Wed until 2026-06-30
Organizer: Ada; L. <ada@zoo.example>
Attendees: bob@zoo.example, Eve <eve@zoo.example>
Status: tentative

Bring fish.
Wear boots.`,
        metadata: {
          event: 1,
          summary: 'Feeding, otters',
          start: '2026-03-01 10:00',
          end: '2026-03-01 11:30',
          location: 'Pool 2',
          uid: '1@zoo',
        },
        last: true,
      },
    ],
  )
})

test('readIcs reads days, tasks and journals, in the order of the file [formats:calendar]', async () => {
  const lines = [
    ...event('DTSTART;VALUE=DATE:20260401', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3'),
    'BEGIN:VTODO',
    'SUMMARY:Clean',
    'DUE:20260402T080000Z',
    'STATUS:COMPLETED',
    'END:VTODO',
    'BEGIN:VJOURNAL',
    'DESCRIPTION:Quiet day',
    'END:VJOURNAL',
  ]
  assert.deepEqual(await streamTexts(readIcs, calendar(...lines)), [
    'Event\nWhen: 2026-04-01\nRepeats: every month on last Fri 3 times',
    'Task: Clean\nDue: 2026-04-02 08:00\nStatus: completed',
    'Journal entry\n\nQuiet day',
  ])
})

test('readIcs counts attachments, and refuses what is no calendar and bounds hostile ones [formats:calendar]', async () => {
  const attached = calendar(
    ...event('SUMMARY:x', 'ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA', 'ATTACH:http://x'),
  )
  assert.deepEqual((await readStream(readIcs, attached)).at(-1), {
    dropped: { kind: 'attachment', count: 1 },
  })
  await assert.rejects(readStream(readIcs, 'hello: world\n'), { code: 'file_unreadable' })
  await assert.rejects(readStream(readIcs, 'BEGIN:VCALENDAR\n'.repeat(1000)), { code: 'file_over_limit' })
  const endless = `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${'COMMENT:text\n'.repeat(1000)}`
  await assert.rejects(readStream(readIcs, endless, { lineLength: 1000 }), { code: 'file_over_limit' })
  assert.deepEqual(await readStream(readIcs, 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:cut\n'), [
    { pageContent: 'cut', metadata: { event: 1, summary: 'cut' }, last: true },
    { note: 'the file ends in the middle of an event' },
  ])
  assert.deepEqual(await streamTexts(readIcs, calendar('END:VEVENT', ';;;:', 'X', ...event())), [])
})

test('readIcs reads a description that is written as HTML, with the addresses of its links [formats:calendar]', async () => {
  const html =
    '<p>Bring <b>fish</b> &amp\\; boots.</p><ul><li>one</li><li>two</li></ul><a href="https://meet.example/x?a=1&amp\\;b=2">Join</a> or <a href="https://meet.example/y">https://meet.example/y</a>'
  const lines = event('SUMMARY:Feeding', `DESCRIPTION:${html}`)
  const shown =
    'Feeding\n\nBring fish & boots.\n\n- one\n- two\n\nJoin (https://meet.example/x?a=1&b=2) or https://meet.example/y'
  assert.deepEqual(await streamTexts(readIcs, calendar(...lines)), [shown])
  for (const [written, read] of [
    ['<b>Agenda</b>\\nOne\\nTwo', 'Agenda\nOne\nTwo'],
    ['a < b and b > c\\, says <ada@zoo.example>', 'a < b and b > c, says <ada@zoo.example>'],
    ['<pool 2>', '<pool 2>'],
    [`${'<p><b>'.repeat(3)}deep`, 'deep'],
  ])
    assert.deepEqual(
      await streamTexts(readIcs, calendar(...event('SUMMARY:Feeding', `DESCRIPTION:${written}`))),
      [`Feeding\n\n${read}`],
    )
  const deep = '<div>'.repeat(3000)
  const [kept] = await streamTexts(readIcs, calendar(...event(`DESCRIPTION:${deep}`)))
  assert.equal(kept, `Event\n\n${deep}`)
})

test('readIcs reads the description of Outlook where it is there only as HTML [formats:calendar]', async () => {
  const alternative = 'X-ALT-DESC;FMTTYPE=text/html:<html><body>Bring <i>fish</i></body></html>'
  const both = event('SUMMARY:Feeding', 'DESCRIPTION:Bring boots', alternative)
  const only = event('SUMMARY:Feeding', 'DESCRIPTION:', alternative)
  assert.deepEqual(await streamTexts(readIcs, calendar(...both, ...only)), [
    'Feeding\n\nBring boots',
    'Feeding\n\nBring fish',
  ])
})
