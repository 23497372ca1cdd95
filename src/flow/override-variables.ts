import { isObject, type JsonObject, parseJson } from '../kit/json.ts'
import { lenientJson } from '../kit/lenient-json.ts'
import type { OverrideGate } from './api-config.ts'
import type { Warning } from './overrides.ts'
import { plainText } from './rich-text.ts'

/**
 * The variables that a request brings, `overrideConfig.vars`: each passes the gate by its own name.
 *
 * @returns the values that count, and the overrides of nodes that are left
 */
export function overrideVariables(overrides: JsonObject, gate: OverrideGate) {
  const { vars, ...rest } = overrides
  const asked = typeof vars === 'string' ? parseJson(vars) : vars
  const values: Record<string, string> = {}
  const warnings: Warning[] = []
  for (const [name, value] of Object.entries(isObject(asked) ? asked : {})) {
    if (gate.allowsVariable(name)) values[name] = typeof value === 'string' ? value : JSON.stringify(value)
    else warnings.push({ key: `vars.${name}`, reason: 'this flow does not allow overriding this variable' })
  }
  for (const [key, value] of Object.entries(rest)) {
    // What the flow does not open takes no effect, whatever it says.
    if (!gate.allowsAnywhere(key) || !namesVariable(value)) continue
    warnings.push({ key, reason: 'a request cannot read the variables of the workspace' })
    delete rest[key]
  }
  return { values, warnings, rest }
}

/**
 * A variable may hold a secret: only the drawing says where it goes. Texts are read as they will be before they are
 * filled: as JSON, which may escape the name, and as rich text.
 */
function namesVariable(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(namesVariable)
  if (typeof value !== 'string') return false
  const read = lenientJson(value)
  return [value, plainText(value)].some((text) => NAME.test(text)) || (read !== value && namesVariable(read))
}

const NAME = /\{\{\s*\$vars\b/
