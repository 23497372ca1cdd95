import type { Json } from '../kit/json.ts'

/** Stands for a value that is not shown. */
export const NOT_SHOWN = '…'

/** A setting that differs, in one line: `Chunk Size 1000 → 600`. */
export function settingChangeText({ label, from, to }: { label: string; from: Json; to: Json }): string {
  if (from === NOT_SHOWN && to === NOT_SHOWN) return `${label} has another value`
  return `${label} ${valueText(from)} → ${valueText(to)}`
}

const LONGEST = 40

function valueText(value: Json): string {
  if (value === null || value === '') return 'none'
  if (value === true) return 'on'
  if (value === false) return 'off'
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
