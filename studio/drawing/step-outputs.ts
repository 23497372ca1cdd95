import { type FileNode, inputsOf, isObject, type Json, textOf } from './flow-file.ts'

/** The ways out of a step of an agent flow, by their labels. */
export function stepOutputs(node: FileNode): string[] {
  const inputs = inputsOf(node)
  switch (textOf(node.data.name)) {
    case 'conditionAgentflow':
      return [...listOf(inputs.conditions).map((_, index) => `Condition ${index + 1}`), 'Else']
    case 'conditionAgentAgentflow':
      return listOf(inputs.conditionAgentScenarios).map((row, index) =>
        isObject(row) && typeof row.scenario === 'string' ? row.scenario : `Scenario ${index + 1}`,
      )
    case 'humanInputAgentflow':
      return ['Proceed', 'Reject']
    case 'directReplyAgentflow':
    case 'loopAgentflow':
      return []
    default:
      return ['Next']
  }
}

/** A list, or the same as JSON text; empty for anything else. */
export function listOf(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || value === '') return []
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? (parsed as Json[]) : []
  } catch {
    return []
  }
}
