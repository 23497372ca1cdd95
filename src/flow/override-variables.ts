import { isObject, type JsonObject, parseJson } from '../kit/json.ts'
import { lenientJson } from '../kit/lenient-json.ts'
import type { OverrideGate } from './api-config.ts'
import type { Warning } from './overrides.ts'
import { plainText } from './rich-text.ts'

/**
 * Reads the variables of a request, `overrideConfig.vars`. The gate must allow each by its name.
 *
 * @returns the allowed values, and the remaining overrides
 */
export function overrideVariables(overrides: JsonObject, gate: OverrideGate) {
  const { vars, ...rest } = overrides
  const given = typeof vars === 'string' ? parseJson(vars) : vars
  const values: Record<string, string> = {}
  const warnings: Warning[] = []
  for (const [name, value] of Object.entries(isObject(given) ? given : {})) {
    if (gate.allowsVariable(name)) values[name] = typeof value === 'string' ? value : JSON.stringify(value)
    else warnings.push({ key: `vars.${name}`, reason: 'this flow does not allow overriding this variable' })
  }
  for (const [key, value] of Object.entries(rest)) {
    // Overrides that the flow does not allow have no effect anyway.
    if (!gate.allowsAnywhere(key) || !namesVariable(value)) continue
    warnings.push({ key, reason: 'a request cannot read the variables of the workspace' })
    delete rest[key]
  }
  return { values, warnings, rest }
}

/**
 * Whether a text has a variable of the workspace. Only the drawing may place variables, since they may hold secrets. Texts
 * are also read as JSON, which may escape the name, and as rich text, as they are before they are filled.
 */
function namesVariable(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(namesVariable)
  if (typeof value !== 'string') return false
  const read = lenientJson(value)
  return [value, plainText(value)].some((text) => NAME.test(text)) || (read !== value && namesVariable(read))
}

const NAME = /\{\{\s*\$vars\b/
