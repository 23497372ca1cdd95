import type { IcsProperty } from './ics-lines.ts'

/** A date or a time as `2026-03-01` or `2026-03-01 10:00`; with `UTC` or the time zone, where the calendar says it. */
export function calendarTime({ value, parameters }: IcsProperty): { text: string; zone: string } {
  const found = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z?))?/.exec(value)
  if (!found) return { text: value.slice(0, 100), zone: '' }
  const [, year, month, day, hour, minute, second, utc] = found
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return { text: date, zone: '' }
  const zone = utc ? 'UTC' : (parameters.get('TZID') ?? '')
  return { text: `${date} ${hour}:${minute}${second && second !== '00' ? `:${second}` : ''}`, zone }
}

/** How an event repeats, as a phrase: `every 2 weeks on Mon, Wed until 2026-06-30` (RFC 5545, 3.3.10). */
export function repetition(rule: string): string {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]))
  const unit = UNITS[parts.get('FREQ') ?? '']
  if (!unit) return rule.slice(0, 200)
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const days = (parts.get('BYDAY') ?? '').replace(
    /(-?\d{0,3})([A-Z]{2})/g,
    (_, number: string, day: string) =>
      `${number === '' ? '' : number === '-1' ? 'last ' : `${number}. `}${DAYS[day] ?? day}`,
  )
  const monthDays = parts.get('BYMONTHDAY')
  const count = parts.get('COUNT')
  const until = /^(\d{4})(\d{2})(\d{2})/.exec(parts.get('UNTIL') ?? '')
  return [
    interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`,
    ...(days === '' ? [] : [`on ${days.replaceAll(',', ', ')}`]),
    ...(monthDays === undefined ? [] : [`on day ${monthDays.replaceAll(',', ', ')}`]),
    ...(count === undefined ? [] : [`${count} times`]),
    ...(until ? [`until ${until[1]}-${until[2]}-${until[3]}`] : []),
  ].join(' ')
}

const UNITS: Readonly<Record<string, string | undefined>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}

const DAYS: Readonly<Record<string, string | undefined>> = {
  MO: 'Mon',
  TU: 'Tue',
  WE: 'Wed',
  TH: 'Thu',
  FR: 'Fri',
  SA: 'Sat',
  SU: 'Sun',
}

/** A person: the name, and the address where there is one. */
export function person({ value, parameters }: IcsProperty): string {
  const address = value.replace(/^mailto:/i, '')
  const name = parameters.get('CN')
  return name && name !== address ? `${name} <${address}>` : address
}
