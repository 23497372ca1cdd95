import { type Imported, type ImportedExport, importExport } from '../flow/import/import.ts'
import { reportSettings, type SettingsReport } from '../flow/import/kept-settings.ts'
import { documentStoreMark } from '../flow/document-stores/mark.ts'
import type { ImportReport } from '../flow/import/report.ts'
import { checkCredentials } from './flow-credentials.ts'
import type { ImportedAccess } from './imported-access.ts'
import type { Platform } from './platform.ts'
import type { CustomToolRow } from '../contract/custom-tool-store.ts'
import type { Variable } from '../contract/variable.ts'
import type { FlowCheck } from '../flow/check/check-flow.ts'
import type { ReportRow } from '../flow/check/report-row.ts'
import { randomId } from '../kit/hash.ts'
import { type CheckedAgainst, checkedAgainst } from './check-flow.ts'
import { toolsOfExport } from './import-tools.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An export that was read: its flows have ids that are free here. */
export type ReadExport = Omit<ImportedExport, 'variables' | 'tools'> & {
  /** The variables of the export that this server does not have. */
  newVariables: Variable[]
  /** The custom tools of the export that this server does not have. */
  newTools: CustomToolRow[]
  /** What its flows may name once it is imported. */
  against: CheckedAgainst
}

/**
 * Reads an export and checks all its flows before any is stored. A flow keeps its id unless a flow of this server has it,
 * also a deleted one,
 * so that references between flows of the export stay valid.
 *
 * @throws SluiceError `flow_invalid`, and as `checkCredentials` does
 */
export async function readExport(platform: Platform, exported: unknown): Promise<ReadExport> {
  const here = await checkedAgainst(platform)
  const taken = new Set<string>()
  const { flows, variables, tools, others } = importExport(exported, {
    catalog: platform.catalog,
    credentials: new Set(here.credentials.keys()),
    flows: here.flows,
  })
  for (const { flowData } of flows) await checkCredentials(flowData, platform)
  const imported: Imported[] = []
  for (const { id, ...flow } of flows) {
    const free = id !== undefined && UUID.test(id) && !taken.has(id) && !(await platform.flows.isTaken(id))
    if (free) taken.add(id)
    imported.push(free ? { ...flow, id } : { ...flow, rows: [...flow.rows, ...takenId(id, flow)] })
  }
  const newVariables = new Map(
    variables.filter(({ name }) => !here.variables.has(name)).map((one) => [one.name, one]),
  )
  const brought = await toolsOfExport(platform, tools)
  return {
    flows: imported,
    newTools: brought.tools,
    newVariables: [...newVariables.values()],
    others: [...variables.map((one) => variableRow(one, here)), ...brought.rows, ...others],
    against: {
      ...here,
      flows: new Set([...here.flows, ...imported.flatMap(({ id }) => id ?? [])]),
      variables: new Set([...here.variables, ...variables.map(({ name }) => name)]),
      customTools: new Map(brought.tools.map((one) => [one.id, one])),
    },
  }
}

/** Flows may name a document store by its id. */
function takenId(id: string | undefined, { name, settings }: Omit<Imported, 'id'>): ReportRow[] {
  if (id === undefined || !documentStoreMark(settings?.apiConfig)) return []
  return [
    {
      ...{ nodeId: null, node: name ?? null, input: null, severity: 'changed' },
      what: `The document store has a new id here: ${id} is taken, or no UUID`,
      instead: 'Choose it in the nodes that name a document store',
    },
  ]
}

function variableRow({ name, type }: Variable, { variables }: CheckedAgainst): ReportRow {
  const about = { nodeId: null, node: name, input: null }
  if (variables.has(name))
    return {
      ...about,
      severity: 'changed',
      what: `There is a variable ${name} here already: it keeps its value`,
      instead: 'Change it under Variables, if the value of the export is the right one',
    }
  return {
    ...about,
    severity: 'note',
    what: `The variable ${name} comes with the flows`,
    instead: type === 'runtime' ? `Set SLUICE_VAR_${name} in the environment of the server` : null,
  }
}

/** Stores the variables and custom tools of an export that this server does not have. */
export async function insertBeside(
  { variables, customTools }: Pick<Platform, 'variables' | 'customTools'>,
  { newVariables, newTools }: ReadExport,
): Promise<void> {
  const now = Date.now()
  for (const one of newVariables)
    await variables.insert({ ...one, id: randomId(), createdAt: now, updatedAt: now })
  for (const one of newTools) await customTools.insert(one)
}

/** The report of an import. @param check of the flow as it was stored. @param kept whether the new flow has the settings of the export */
export const presentReport = (
  { report, settings }: Imported,
  { runs, rows }: Pick<FlowCheck, 'runs' | 'rows'>,
  kept: boolean,
  access: ImportedAccess,
): ImportReport &
  Pick<FlowCheck, 'runs' | 'rows'> & { settings?: SettingsReport; access: ImportedAccess } => ({
  ...report,
  supported: report.supported && runs !== 'no',
  runs,
  rows,
  access,
  ...(settings ? { settings: reportSettings(settings, kept) } : {}),
})
