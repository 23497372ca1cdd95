/** A number of bytes for people: `0 B`, `12.4 MB`. */
export function readableBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let step = 0
  let value = bytes
  for (; value >= 999.95 && step < units.length - 1; step++) value /= 1000
  return `${step === 0 ? value : value.toFixed(1)} ${units[step]}`
}

/** A duration for people: `412 ms`, `3.2 s`, `4 min 05 s`. */
export function readableTime(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** A count and its noun: `1 file`, `5,001 files`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
