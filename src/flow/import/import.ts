import { isObject, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { refuseLargeFlow } from '../flow-size.ts'
import { readGraph, written } from '../graph.ts'
import { partsWithin } from './parts-within.ts'
import { exportedStores } from './exported-stores.ts'
import type { ExportedKey } from './exported-key.ts'
import { type Exported, findFlows, type FlowType } from './export-file.ts'
import { damagedSettings, type KeptSettings, keptSettings, settingsHolder } from './kept-settings.ts'
import { type ImportReport, reportOn } from './report.ts'
import { leaveOutNeedless, reconnectReplaced } from './edges.ts'
import { giveEnginesTheirParts } from './query-engines.ts'
import { replaceNode, substitute } from './substitute.ts'
import { unreadable } from './unreadable.ts'
import type { Variable } from '../../contract/variable.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { ReportRow } from '../check/report-row.ts'
import { droppedSettings } from './dropped-settings.ts'
import { importRows } from './import-rows.ts'
import { isVersion1 } from './version-1/old-drawing.ts'
import { translateVersion1 } from './version-1/translate.ts'
import { type ExportedTool, exportedTools } from './exported-tools.ts'
import { exportedVariables, otherThings } from './other-things.ts'

/** What a flow may refer to on this server. */
export type Holdings = {
  catalog: Catalog
  credentials: ReadonlySet<string>
  /** Ids and slugs. */
  flows: ReadonlySet<string>
}

export type Imported = {
  /** The id in the export; files of the editor have none. */
  id?: string
  /** The name in the export; files of the editor have none. */
  name?: string
  /** The type, if the export has one. */
  type?: FlowType
  flowData: JsonObject
  key: ExportedKey
  /** The names of settings that cannot be read. */
  damaged: string[]
  /** What the export has of the flow besides its drawing. */
  settings?: KeptSettings
  report: ImportReport
  /** The lines of the report that a check of the flow cannot know. */
  rows: ReportRow[]
}

/** All that an export holds. */
export type ImportedExport = {
  flows: Imported[]
  variables: Variable[]
  tools: ExportedTool[]
  /** What is not imported, a line each: flows that cannot be read, and things that are no flows. */
  others: ReportRow[]
}

/**
 * Converts an export into flows of this server, in its order: nodes with another name here are replaced, credentials of
 * another server are removed, values that cannot be read are replaced by defaults. The report names each change, and all
 * that a flow still lacks. A document store becomes a flow, behind the others. Flows of one export may refer to each other. A flow of several that cannot be converted is a line among
 * the others, and the others come in.
 *
 * @throws SluiceError `flow_invalid` if there is no flow in it, or none can be converted
 */
export function importExport(exported: unknown, holdings: Holdings): ImportedExport {
  const stores = exportedStores(exported, holdings.catalog)
  const found = [...flowsIn(exported, stores.length > 0), ...stores.map(({ flow }) => flow)]
  const storeRows = new Map(stores.map(({ flow, rows }) => [flow, rows]))
  const known = new Set([...holdings.flows, ...found.flatMap(({ id }) => id ?? [])])
  const flows: Imported[] = []
  const refused: { name: string; error: SluiceError }[] = []
  for (const one of found) {
    try {
      const made = importOne(one, { ...holdings, flows: known })
      flows.push({ ...made, rows: [...made.rows, ...(storeRows.get(one) ?? [])] })
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      refused.push({ name: one.name ?? 'without a name', error })
    }
  }
  if (flows.length === 0) throw refused[0]!.error
  const whole = isObject(exported) ? exported : {}
  return {
    flows,
    variables: exportedVariables(whole),
    tools: exportedTools(whole),
    others: [...refused.map(refusedFlow), ...otherThings(whole)],
  }
}

/** @param others whether the export has something else that becomes a flow */
function flowsIn(exported: unknown, others: boolean): Exported[] {
  try {
    return findFlows(exported)
  } catch (error) {
    if (others && error instanceof SluiceError) return []
    throw error
  }
}

const refusedFlow = ({ name, error }: { name: string; error: SluiceError }): ReportRow => ({
  nodeId: null,
  node: name,
  input: null,
  severity: 'unsupported',
  what: `The flow ${name} is not imported: ${error.message}`,
  instead: error.facts.hint ?? null,
})

function importOne(
  { drawing, row, ...facts }: Exported,
  { catalog, credentials, flows }: Holdings,
): Imported {
  refuseLargeFlow(drawing)
  const version1 = isVersion1(drawing) ? translateVersion1(structuredClone(drawing), catalog) : undefined
  if (version1) refuseLargeFlow(version1.drawing)
  const flowData = version1?.drawing ?? structuredClone(drawing)
  const replaced: ImportReport['replaced'] = []
  const ignored: ImportReport['ignored'] = []
  giveEnginesTheirParts(flowData)
  const needless = leaveOutNeedless(flowData)

  for (const { data } of flowData.nodes) {
    if (!isObject(data)) continue
    const node = data as JsonObject
    const place = {
      nodeId: written(node.id),
      label: written(node.label ?? node.name),
      name: written(node.name),
    }
    const made = substitute(node.name, isObject(node.inputs) ? (node.inputs as JsonObject) : {})
    if (made) {
      replaced.push({ ...place, ...made })
      for (const input of replaceNode(node, made.by, catalog)) ignored.push({ ...place, input })
    }
    if (!isObject(node.inputs)) continue
    for (const part of partsWithin(node.inputs)) {
      const within = substitute(part.name, part.inputs as JsonObject)
      if (within === undefined) continue
      replaced.push({ ...place, name: part.name, within: part.input, path: part.path, ...within })
      part.rename(within.by)
    }
    removeCredentials(node, credentials)
    for (const inputs of [node.inputs, ...[...partsWithin(node.inputs)].map((part) => part.inputs)])
      removeCredentials(inputs, credentials)
  }
  const whole = replaced.filter(({ within }) => within === undefined)
  for (const { nodeId, input } of reconnectReplaced(flowData, whole, catalog)) {
    const { label, name } = whole.find((one) => one.nodeId === nodeId)!
    if (!ignored.some((one) => one.nodeId === nodeId && one.input === input))
      ignored.push({ nodeId, label, name, input })
  }

  const all = [...(version1?.replaced ?? []), ...replaced]
  const report = reportOn(readGraph(flowData).nodes.values(), catalog, all, flows)
  report.needless = needless
  report.ignored.unshift(...ignored)
  for (const { data } of flowData.nodes) if (isObject(data)) leaveOutUnreadable(data as JsonObject, catalog)
  report.leftOut.push(...leftOutOf(row))
  const settings = keptSettings(row)
  return {
    ...facts,
    ...(version1 ? { type: 'AGENTFLOW' as const } : {}),
    flowData,
    damaged: damagedSettings(row),
    ...(settings ? { settings } : {}),
    report,
    rows: [...importRows(report), ...(version1?.rows ?? []), ...droppedSettings(settingsHolder(row))],
  }
}

/** What an export of this server has left out. */
function leftOutOf({ sluice }: Record<string, unknown>): ImportReport['leftOut'] {
  const listed = isObject(sluice) ? sluice.leftOut : undefined
  return (Array.isArray(listed) ? listed : []).flatMap((one) =>
    isObject(one) ? [{ node: written(one.node), input: written(one.input) }] : [],
  )
}

function removeCredentials(holder: Record<string, unknown>, credentials: ReadonlySet<string>): void {
  for (const key of ['credential', 'FLOWISE_CREDENTIAL_ID']) {
    const id = holder[key]
    if (typeof id === 'string' && id !== '' && !credentials.has(id)) delete holder[key]
  }
}

function leaveOutUnreadable(data: JsonObject, catalog: Catalog): void {
  if (!isObject(data.inputs)) return
  leaveOut(written(data.name), data.inputs)
  for (const part of partsWithin(data.inputs)) leaveOut(part.name, part.inputs)

  function leaveOut(name: string, inputs: Record<string, unknown>): void {
    const card = catalog.get(name)
    if (card) for (const { input } of unreadable(card, inputs)) inputs[input] = ''
  }
}
