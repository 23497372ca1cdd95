import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentDateTimeTool } from './current-date-time.ts'

const at = Date.parse('2026-07-24T22:30:05Z')
const currentDateTime = async (timeZone?: string) => {
  const { output } = await currentDateTimeTool(() => at, timeZone).call({}, new AbortController().signal)
  return JSON.parse(output)
}

for (const [timezone, date, time, day, timezoneOffset] of [
  ['Europe/Zurich', '2026-07-25', '00:30:05', 'Saturday', '+02:00'],
  ['America/St_Johns', '2026-07-24', '20:00:05', 'Friday', '-02:30'],
  ['UTC', '2026-07-24', '22:30:05', 'Friday', '+00:00'],
] as const)
  test(`currentDateTimeTool() returns date and time of a time zone: ${timezone}`, async () => {
    const iso8601 = `${date}T${time}${timezoneOffset}`
    const unix_timestamp = at / 1000
    assert.deepEqual(await currentDateTime(timezone), {
      date,
      time,
      day,
      timezone,
      timezoneOffset,
      iso8601,
      unix_timestamp,
    })
    assert.equal(Date.parse(iso8601), at)
  })

test('currentDateTimeTool() uses the time zone of the server', async () => {
  const { timezone, iso8601 } = await currentDateTime()
  assert.equal(timezone, Intl.DateTimeFormat().resolvedOptions().timeZone)
  assert.equal(Date.parse(iso8601), at)
})
