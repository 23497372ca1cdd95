import { type Imported, importFlows } from '../flow/import/import.ts'
import { reportSettings, type SettingsReport } from '../flow/import/kept-settings.ts'
import type { ImportReport } from '../flow/import/report.ts'
import { checkCredentials } from './flow-credentials.ts'
import type { ImportedAccess } from './imported-access.ts'
import type { Platform } from './platform.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Reads an export and checks all its flows before any is stored. A flow keeps its id unless a flow of this server has it,
 * also a deleted one,
 * so that references between flows of the export stay valid.
 *
 * @throws SluiceError `flow_invalid`, and as `checkCredentials` does
 */
export async function readExport(platform: Platform, exported: unknown): Promise<Imported[]> {
  const { rows } = await platform.flows.list()
  const taken = new Set<string>()
  const found = importFlows(exported, {
    catalog: platform.catalog,
    credentials: new Set((await platform.credentials.list()).map(({ id }) => id)),
    flows: new Set(rows.flatMap(({ id, slug }) => [id, slug])),
  })
  for (const { flowData } of found) await checkCredentials(flowData, platform)
  const imported: Imported[] = []
  for (const { id, ...flow } of found) {
    const free = id !== undefined && UUID.test(id) && !taken.has(id) && !(await platform.flows.isTaken(id))
    if (free) taken.add(id)
    imported.push(free ? { ...flow, id } : flow)
  }
  return imported
}

/** The report of an import. @param kept whether the new flow has the settings of the export */
export const presentReport = (
  { report, settings }: Imported,
  kept: boolean,
  access: ImportedAccess,
): ImportReport & { settings?: SettingsReport; access: ImportedAccess } => ({
  ...report,
  access,
  ...(settings ? { settings: reportSettings(settings, kept) } : {}),
})
