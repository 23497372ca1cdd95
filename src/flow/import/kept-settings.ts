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
  /** The pages that may call the flow; empty for all. */
  allowedOrigins: string[]
}

/**
 * The settings beside a drawing: in the field `sluice` of an export of this server, otherwise in the columns of a row of
 * the management API. Undefined if there are none.
 */
export function keptSettings(exported: unknown): KeptSettings | undefined {
  const holder = holderOf(exported)
  if (!holder) return undefined
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

/** The settings that an export has and nobody can read: what they protected is not protected any more. */
export const damagedSettings = (exported: unknown): string[] =>
  ['apiConfig', 'chatbotConfig'].filter((name) => {
    const column = holderOf(exported)?.[name]
    return typeof column === 'string' && column.trim() !== '' && parseJson(column) === undefined
  })

/** Where an export has the settings of a flow: its field `sluice`, or the row itself. */
export const settingsHolder = (exported: unknown): Record<string, unknown> => holderOf(exported) ?? {}

const holderOf = (exported: unknown): Record<string, unknown> | undefined => {
  if (!isObject(exported)) return undefined
  return isObject(exported.sluice) ? exported.sluice : (onlyRow(exported) ?? exported)
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
    allowedOrigins: originsIn(chatbotConfig),
  }
}

function originsIn(chatbotConfig: JsonObject | undefined): string[] {
  const listed = chatbotConfig?.allowedOrigins
  return Array.isArray(listed)
    ? (listed.filter((origin) => typeof origin === 'string' && origin !== '') as string[])
    : []
}

/** A column that is an object, or JSON text of one. */
function objectIn(column: unknown): JsonObject | undefined {
  const value = typeof column === 'string' ? parseJson(column) : (column as Json | undefined)
  return isObject(value) && Object.keys(value).length > 0 ? (value as JsonObject) : undefined
}
