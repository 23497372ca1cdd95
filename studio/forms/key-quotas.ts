import type { Key } from '../server/keys.ts'

/** A limit of a key, and how its amount is typed. */
export type QuotaField = {
  name: 'chunks' | 'bytes' | 'questions'
  label: string
  /** What one of the typed number is, in units of the server. */
  unit: number
}

/** The limits of a key; `chunks` is only for a key with pins, whose documents are known. */
export const QUOTA_FIELDS: readonly QuotaField[] = [
  { name: 'questions', label: 'Questions a day', unit: 1 },
  { name: 'bytes', label: 'Uploads a day, in MB', unit: 1_000_000 },
  { name: 'chunks', label: 'Chunks at the same time', unit: 1 },
]

export type Quotas = NonNullable<Key['quotas']>

/** The limits of a key as they are typed; an empty text is no limit. */
export const typedQuotas = (quotas: Quotas = {}): Record<QuotaField['name'], string> => ({
  questions: typed(quotas.questions, 1),
  bytes: typed(quotas.bytes, 1_000_000),
  chunks: typed(quotas.chunks, 1),
})

const typed = (amount: number | undefined, unit: number): string =>
  amount === undefined ? '' : String(amount / unit)

/**
 * The limits as the server takes them; null removes one.
 *
 * @throws Error for a text that is no number above zero
 */
export function quotasOf(texts: Readonly<Record<QuotaField['name'], string>>): Record<string, number | null> {
  return Object.fromEntries(
    QUOTA_FIELDS.map(({ name, label, unit }) => {
      const text = texts[name].trim()
      if (text === '') return [name, null]
      const amount = Math.round(Number(text) * unit)
      if (!Number.isSafeInteger(amount) || amount < 1)
        throw new Error(`${label}: ${text} is no number above 0`)
      return [name, amount]
    }),
  )
}
