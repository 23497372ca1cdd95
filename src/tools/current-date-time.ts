import type { Tool } from '../contract/tool.ts'
import type { Clock } from '../kit/clock.ts'

/**
 * A tool that returns the present date and time in the server's time zone, or in `timeZone`; all parts are of the
 * same moment.
 */
export const currentDateTimeTool = (clock: Clock = Date.now, timeZone?: string): Tool => ({
  name: 'current_date_time',
  description: 'Returns the current date, time, day of the week and time zone',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  call: async () => ({ output: JSON.stringify(momentOf(clock(), timeZone)) }),
})

function momentOf(time: number, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone) {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      weekday: 'long',
      timeZoneName: 'longOffset',
    })
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  const offset = parts.timeZoneName!.replace('GMT', '') || '+00:00'
  const date = `${parts.year}-${parts.month}-${parts.day}`
  const clockTime = `${parts.hour}:${parts.minute}:${parts.second}`
  return {
    date,
    time: clockTime,
    day: parts.weekday,
    timezone: timeZone,
    timezoneOffset: offset,
    iso8601: `${date}T${clockTime}${offset}`,
    unix_timestamp: Math.floor(time / 1000),
  }
}
