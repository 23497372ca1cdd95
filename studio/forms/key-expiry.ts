const DAY_MS = 86_400_000

/** The choices for the end of a key. */
export const EXPIRIES: readonly { value: string; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

/** The end of a key as ISO 8601 in UTC; null for one that does not expire. */
export const expiryAt = (choice: string, now: number): string | null =>
  choice === 'never' ? null : new Date(now + Number(choice) * DAY_MS).toISOString()

/** When a key expires, in words. */
export function expiryText(
  expiresAt: string | null | undefined,
  now: number,
): { text: string; soon: boolean } {
  if (!expiresAt) return { text: 'never', soon: false }
  const days = Math.ceil((Date.parse(expiresAt) - now) / DAY_MS)
  if (Date.parse(expiresAt) <= now) return { text: `expired ${expiresAt.slice(0, 10)}`, soon: true }
  return { text: days === 1 ? 'within a day' : `in ${days} days`, soon: days <= 7 }
}
