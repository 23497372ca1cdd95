import { isObject, type Json, type JsonObject } from '../../../kit/json.ts'
import type { Catalog } from '../../catalog.ts'
import type { ReportRow, Severity } from '../../check/report-row.ts'
import { drawAnchors, drawFacts, drawParams, initialValue } from '../../draw-card.ts'
import type { ImportReport } from '../report.ts'
import type { OldNode } from './old-drawing.ts'

/** A drawing of version 2 while it is made. */
export type Draft = {
  /** An id for a step, which no other node has. */
  reserve(name: string): string
  /** Draws a step. @param id as `reserve` gave it */
  add(id: string, label: string, position: { x: number; y: number }, inputs: JsonObject): void
  /** Draws a node as it was: the check names it. */
  keep(node: OldNode): void
  connect(from: string, output: number, to: string): void
  /** A line of the report. @param node the id of a step, or null for the whole flow */
  say(
    node: { id: string; label: string } | null,
    severity: Severity,
    what: string,
    more?: { input?: string; instead?: string },
  ): void
  /** A line for a node that became a step. */
  became(id: string, node: OldNode): void
  /** Does something, or nothing of it where it throws. */
  whole<T>(work: () => T): T
  drawn(): { nodes: JsonObject[]; edges: JsonObject[]; rows: ReportRow[]; replaced: ImportReport['replaced'] }
}

/** Begins a drawing. @param taken ids that are not given again */
export function newDraft(catalog: Catalog, taken: ReadonlySet<string>): Draft {
  const ids = new Map<string, string>()
  const labels = new Map<string, string>()
  const nodes: JsonObject[] = []
  const edges = new Map<string, JsonObject>()
  const rows: ReportRow[] = []
  const replaced: ImportReport['replaced'] = []
  const counts = new Map<string, number>()
  return {
    reserve(name) {
      let count = counts.get(name) ?? 0
      while (taken.has(`${name}_${count}`)) count += 1
      counts.set(name, count + 1)
      ids.set(`${name}_${count}`, name)
      return `${name}_${count}`
    },
    add(id, label, position, inputs) {
      const card = catalog.get(ids.get(id)!)!
      labels.set(id, label)
      const initial = Object.entries(card.fields).map(([input, field]) => [input, initialValue(field)])
      const anchor = `${id}-output-${card.name}`
      nodes.push({
        id,
        type: 'agentFlow',
        position: { ...position },
        data: {
          id,
          ...drawFacts(card),
          label,
          inputParams: drawParams(card, id),
          inputAnchors: drawAnchors(card, id),
          inputs: { ...Object.fromEntries(initial), ...inputs },
          outputAnchors: [
            { id: anchor, name: card.name, label: card.type, type: card.baseClasses.join(' | ') },
          ],
          outputs: {},
          selected: false,
        },
      })
    },
    keep: ({ raw }) => void nodes.push(raw),
    connect(source, output, target) {
      const sourceHandle = `${source}-output-${output}`
      const id = `${source}-${sourceHandle}-${target}-${target}`
      const edge = { source, sourceHandle, target, targetHandle: target, type: 'agentFlow', id, data: {} }
      edges.set(id, edge)
    },
    say: (node, severity, what, { input, instead } = {}) =>
      void rows.push({
        nodeId: node?.id ?? null,
        node: node?.label ?? null,
        input: input ?? null,
        severity,
        what,
        instead: instead ?? null,
      }),
    became: (id, { label, name }) =>
      void replaced.push({ nodeId: id, label: labels.get(id) ?? label, name, by: ids.get(id)!, differs: [] }),
    whole(work) {
      const before = [nodes.length, rows.length, replaced.length] as const
      const known = new Set(edges.keys())
      try {
        return work()
      } catch (error) {
        nodes.length = before[0]
        rows.length = before[1]
        replaced.length = before[2]
        for (const id of edges.keys()) if (!known.has(id)) edges.delete(id)
        throw error
      }
    },
    drawn: () => ({ nodes, edges: [...edges.values()], rows, replaced }),
  }
}

/** Rows of a table of version 1: a list, or JSON text of one. Undefined where it is neither. */
export function rowsIn(value: unknown): JsonObject[] | undefined {
  if (value === undefined || value === null || value === '') return []
  const list: unknown = typeof value === 'string' ? jsonIn(value) : value
  return Array.isArray(list) ? (list.filter(isObject) as JsonObject[]) : undefined
}

/** Values by name: an object, or JSON text of one. Undefined where it is neither. */
export function valuesIn(value: unknown): Record<string, Json> | undefined {
  if (value === undefined || value === null || value === '') return {}
  const found: unknown = typeof value === 'string' ? jsonIn(value) : value
  return isObject(found) ? (found as JsonObject) : undefined
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
