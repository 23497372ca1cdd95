import { isObject } from '../../kit/json.ts'

/** Whether callers of a flow needed an API key where it was exported, and the id of that key if the export has it. */
export type ExportedKey = { needed: boolean; id?: string }

/**
 * Reads the field `sluice` of an export of this server, and the column `apikeyid` of a row of Flowise. What cannot be read
 * counts as needed: it must not open a flow.
 *
 * @param sluice undefined for an export of Flowise
 */
export function exportedKey({ apikeyid }: Record<string, unknown>, sluice: unknown): ExportedKey {
  if (typeof apikeyid === 'string' && apikeyid.trim() !== '') return { needed: true, id: apikeyid }
  const unreadable = apikeyid !== undefined && apikeyid !== null && typeof apikeyid !== 'string'
  const access = isObject(sluice) ? sluice.access : undefined
  return { needed: unreadable || (access !== undefined && access !== 'open') }
}
