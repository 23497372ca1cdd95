const BYTES = ['B', 'kB', 'MB', 'GB', 'TB']

/** A size as a person reads it; 1 kB is 1,000 bytes. */
export function sizeText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTES[step]}`
}

const numbers = new Intl.NumberFormat('en')
export const numberText = (value: number): string => numbers.format(value)

/** `1 file`, `2 files`. */
export const countText = (count: number, one: string, several = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : several}`

/** A length of time: `40 s`, `3 min`, `1 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A short time: `4 ms`, `1.3 s`, `2 min`. */
export function millisecondsText(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : durationText(ms / 1000)
}

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
export const momentText = (moment: string): string => moments.format(new Date(moment))

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago a moment was: `2 hours ago`; after a month the date. */
export function agoText(moment: string, now = Date.now()): string {
  const seconds = (now - Date.parse(moment)) / 1000
  if (seconds > 30 * 86_400) return momentText(moment)
  const step = STEPS.find(([, length]) => seconds >= length)
  return step ? ago.format(-Math.floor(seconds / step[1]), step[0]) : 'just now'
}
