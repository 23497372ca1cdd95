import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import { type QuotaName, QUOTAS, type Quotas } from '../contract/quota.ts'
import type { Pins } from '../contract/fence.ts'

const DAY_MS = 86_400_000

/** @param now in ms since 1970 */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS)

/** When the count of a day ends, in ms since 1970. */
export const endOfDay = (day: number): number => (day + 1) * DAY_MS

const refuse = (reason: string) => new SluiceError('quotas_invalid', { reason })

/**
 * Checks the quotas of a key.
 *
 * @throws SluiceError `quotas_invalid`
 */
export function checkQuotas(quotas: JsonObject, pins: Pins): Quotas {
  const checked: Partial<Record<QuotaName, number>> = {}
  for (const [name, value] of Object.entries(quotas)) {
    const known = QUOTAS.find((one) => one === name)
    if (!known) throw refuse(`there is no quota ${name.slice(0, 80)}; there are ${QUOTAS.join(', ')}`)
    if (value === null) continue
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
      throw refuse(`${known} is no whole number from 1`)
    checked[known] = value
  }
  if (checked.chunks !== undefined && Object.keys(pins).length === 0)
    throw refuse('chunks needs pins: without them the documents of a key are not known')
  return checked
}

const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries({ '': 1, k: 1000, kb: 1000, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9 }),
)

/**
 * Quotas as they are written on a command line: `chunks=10000,bytes=500mb/day,questions=200/day`.
 *
 * @throws SluiceError `quotas_invalid`
 */
export function readQuotas(texts: readonly string[], pins: Pins): Quotas {
  const quotas: JsonObject = {}
  for (const text of texts.flatMap((one) => one.split(','))) {
    const [, name, number, unit, perDay] = /^\s*(\w+)=([\d.]+)([a-z]*)(\/day)?\s*$/i.exec(text) ?? []
    const factor = unit === undefined ? undefined : UNITS.get(unit.toLowerCase())
    if (name === undefined || factor === undefined)
      throw refuse(
        `${JSON.stringify(text.slice(0, 80))} has no form such as questions=200/day or bytes=500mb/day`,
      )
    if (perDay && name === 'chunks') throw refuse('chunks is no quota of a day')
    if (Object.hasOwn(quotas, name)) throw refuse(`${name} is given twice`)
    quotas[name] = Math.round(Number(number) * factor)
  }
  return checkQuotas(quotas, pins)
}
