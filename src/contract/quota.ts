/** Quotas that are counted by day, in UTC: bytes of uploads, and questions. */
export const DAILY_QUOTAS = ['bytes', 'questions'] as const
export type DailyQuota = (typeof DAILY_QUOTAS)[number]

/** `chunks`: how many chunks the documents of the pins of a key have at the same time. */
export const QUOTAS = ['chunks', ...DAILY_QUOTAS] as const
export type QuotaName = (typeof QUOTAS)[number]

/** The limits of a key; one that is absent is none. */
export type Quotas = Readonly<Partial<Record<QuotaName, number>>>

/** How much of its quotas a key has used on a day. */
export type DailyUse = Readonly<Record<DailyQuota, number>>

/** An amount that a key asks for, of what it may use on a day. `day` counts from 1970 in UTC. */
export type QuotaRequest = { id: string; quota: DailyQuota; amount: number; max: number; day: number }
