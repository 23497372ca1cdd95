import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import { gateSwitches } from '../settings/gate-switches.ts'
import { rateLimitText } from '../settings/rate-limit-text.ts'

/** What an export has of a flow besides its drawing. */
export type KeptSettings = { apiConfig?: JsonObject; chatbotConfig?: JsonObject; category?: string }

/** The settings that decide what callers may do: a user should see them before they are used. */
export type SettingsReport = {
  /** Whether the flow has it now. */
  kept: boolean
  /** The inputs that requests may override; `files` means uploads. */
  overrides: string[]
  rateLimit: string
  chatWindow: boolean
}

/**
 * The settings beside a drawing: in the field `sluice` of an export of this server, otherwise in the columns of a row of
 * the management API. Undefined if there are none.
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

/** The row of the only flow in an export of a whole instance. */
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
