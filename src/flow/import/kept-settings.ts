import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import { gateSwitches } from '../settings/gate-switches.ts'
import { rateLimitText } from '../settings/rate-limit-text.ts'

/** What an export says of a flow besides its drawing. */
export type KeptSettings = { apiConfig?: JsonObject; chatbotConfig?: JsonObject; category?: string }

/** What of it a person should know before it is kept: it decides what callers may do. */
export type SettingsReport = {
  /** Whether the flow has it now. */
  kept: boolean
  /** The inputs that requests may override; `files` are uploads. */
  overrides: string[]
  rateLimit: string
  chatWindow: boolean
}

/**
 * The settings beside a drawing: under `sluice` in an export of ours, in the columns of a row of the management API
 * else. Undefined where there are none.
 */
export function keptSettings(exported: unknown): KeptSettings | undefined {
  if (!isObject(exported)) return undefined
  const holder = isObject(exported.sluice) ? exported.sluice : (onlyRow(exported) ?? exported)
  const apiConfig = objectIn(holder.apiConfig)
  const chatbotConfig = objectIn(holder.chatbotConfig)
  const category = typeof holder.category === 'string' && holder.category !== '' ? holder.category : undefined
  if (!apiConfig && !chatbotConfig && category === undefined) return undefined
  return {
    ...(apiConfig ? { apiConfig } : {}),
    ...(chatbotConfig ? { chatbotConfig } : {}),
    ...(category === undefined ? {} : { category }),
  }
}

/** The row of the one flow that an export of a whole instance holds. */
function onlyRow(exported: Record<string, unknown>): Record<string, unknown> | undefined {
  const rows = Object.values(exported).flatMap((list) =>
    Array.isArray(list) ? list.filter((row) => isObject(row) && 'flowData' in row) : [],
  )
  return rows.length === 1 && isObject(rows[0]) ? rows[0] : undefined
}

export function reportSettings(
  { apiConfig = {}, chatbotConfig }: KeptSettings,
  kept: boolean,
): SettingsReport {
  const copy = structuredClone(apiConfig)
  return {
    kept,
    overrides: gateSwitches(copy).names(),
    rateLimit: rateLimitText(copy.rateLimit),
    chatWindow: chatbotConfig !== undefined,
  }
}

/** A column that is an object, or JSON text of one. */
function objectIn(column: unknown): JsonObject | undefined {
  const value = typeof column === 'string' ? parseJson(column) : (column as Json | undefined)
  return isObject(value) && Object.keys(value).length > 0 ? (value as JsonObject) : undefined
}
