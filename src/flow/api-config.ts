import { isObject, parseJson } from '../kit/json.ts'
import type { FlowNode } from './graph.ts'

/** Which inputs a flow lets its callers override; the shape of Flowise's `apiConfig.overrideConfig`. */
export type OverrideGate = {
  open: boolean
  /** Whether an input is enabled for a node: under its label, its id, or `"*"`, which does not count for guarded inputs. */
  allows(node: FlowNode, input: string, guarded: boolean): boolean
  /** Whether any list enables a name: for options that belong to no node, such as `returnSourceDocuments`. */
  allowsAnywhere(name: string): boolean
  /** Whether a variable of the workspace, `$vars.name`, may be given by the request. */
  allowsVariable(name: string): boolean
}

export function readOverrideGate(apiConfig: unknown): OverrideGate {
  const config = typeof apiConfig === 'string' ? parseJson(apiConfig) : apiConfig
  const gate = isObject(config) && isObject(config.overrideConfig) ? config.overrideConfig : {}
  const open = gate.status === true
  const lists = new Map<string, Set<string>>()
  for (const [key, rows] of Object.entries(isObject(gate.nodes) ? gate.nodes : {})) {
    lists.set(key, enabledIn(rows))
  }
  const variables = enabledIn(gate.variables)
  return {
    open,
    allows(node, input, guarded) {
      if (!open) return false
      const listed = [node.label, node.id, ...(guarded ? [] : ['*'])]
      return listed.some((key) => lists.get(key)?.has(input))
    },
    allowsAnywhere: (name) => open && [...lists.values()].some((enabled) => enabled.has(name)),
    allowsVariable: (name) => open && variables.has(name),
  }
}

const enabledIn = (rows: unknown): Set<string> =>
  new Set(
    (Array.isArray(rows) ? rows : [])
      .filter((row) => isObject(row) && row.enabled === true)
      .map((row) => String((row as { name: unknown }).name)),
  )
