import { isObject, type JsonObject } from '../../kit/json.ts'
import type { Catalog } from '../catalog.ts'
import { refuseLargeFlow } from '../flow-size.ts'
import { readGraph, written } from '../graph.ts'
import { partsWithin } from './parts-within.ts'
import type { ExportedKey } from './exported-key.ts'
import { type Exported, findFlows, type FlowType } from './export-file.ts'
import { damagedSettings, type KeptSettings, keptSettings } from './kept-settings.ts'
import { type ImportReport, reportOn } from './report.ts'
import { replaceNode, substituteFor } from './substitute.ts'
import { unreadable } from './unreadable.ts'

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
}

/**
 * Converts an export into flows of this server, in its order: nodes with another name here are replaced, credentials of
 * another server are removed, values that cannot be read are replaced by defaults. The report names each change, and all
 * that a flow still lacks. Flows of one export may refer to each other.
 *
 * @throws SluiceError `flow_invalid` if there is no flow in it, or a flow cannot be converted
 */
export function importFlows(exported: unknown, holdings: Holdings): Imported[] {
  const found = findFlows(exported)
  const flows = new Set([...holdings.flows, ...found.flatMap(({ id }) => id ?? [])])
  return found.map((one) => importOne(one, { ...holdings, flows }))
}

function importOne(
  { drawing, row, ...facts }: Exported,
  { catalog, credentials, flows }: Holdings,
): Imported {
  refuseLargeFlow(drawing)
  const flowData = structuredClone(drawing)
  const replaced: ImportReport['replaced'] = []

  for (const { data } of flowData.nodes) {
    if (!isObject(data)) continue
    const node = data as JsonObject
    const place = {
      nodeId: written(node.id),
      label: written(node.label ?? node.name),
      name: written(node.name),
    }
    const substitute = substituteFor(node.name)
    if (substitute) {
      replaced.push({ ...place, by: substitute })
      replaceNode(node, substitute, catalog)
    }
    if (!isObject(node.inputs)) continue
    for (const part of partsWithin(node.inputs)) {
      const by = substituteFor(part.name)
      if (by === undefined) continue
      replaced.push({ ...place, name: part.name, within: part.input, by })
      part.rename(by)
    }
    removeCredentials(node, credentials)
    for (const inputs of [node.inputs, ...[...partsWithin(node.inputs)].map((part) => part.inputs)])
      removeCredentials(inputs, credentials)
  }

  const report = reportOn(readGraph(flowData).nodes.values(), catalog, replaced, flows)
  for (const { data } of flowData.nodes) if (isObject(data)) leaveOutUnreadable(data as JsonObject, catalog)
  report.leftOut.push(...leftOutOf(row))
  const settings = keptSettings(row)
  return { ...facts, flowData, damaged: damagedSettings(row), ...(settings ? { settings } : {}), report }
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
    if (typeof id === 'string' && !credentials.has(id)) delete holder[key]
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
