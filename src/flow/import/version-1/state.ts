import type { JsonObject } from '../../../kit/json.ts'
import { written } from '../../graph.ts'
import type { Context } from './context.ts'
import { rowsIn } from './draft.ts'
import type { OldNode } from './old-drawing.ts'
import { variableAt, withReferences } from './prompts.ts'
import { stateCode } from './state-code.ts'
import type { StateKey } from './state-key.ts'
import { Untranslatable } from './untranslatable.ts'

/** The keys that a State node declares. @throws Untranslatable for code, and for a table that cannot be read */
export function declaredKeys({ id, inputs }: OldNode): StateKey[] {
  if (
    chosenTab(inputs, 'selectedStateTab', id) === 'stateMemoryCode' &&
    written(inputs.stateMemoryCode) !== ''
  )
    throw new Untranslatable(
      'stateMemoryCode',
      'its keys are made by code',
      'Write them as a table: key, Replace or Append, first value',
    )
  // An older form of the table has it in `stateMemory`, with other names of columns.
  const tables = [inputs.stateMemoryUI, inputs.stateMemory].filter(
    (table) => table !== 'stateMemoryUI' && table !== 'stateMemoryCode',
  )
  return tables.flatMap((table) => {
    const rows = rowsIn(table)
    if (!rows) throw new Untranslatable('stateMemoryUI', 'its table cannot be read', 'Enter it again')
    return rows.flatMap((row) => {
      const key = written(row.key ?? row.Key)
      const append = (row.type ?? row.Operation) === 'Append'
      const initial = written(row.defaultValue ?? row['Default Value'])
      return key === '' ? [] : [{ key, append, initial: append && initial === '' ? '[]' : initial }]
    })
  })
}

/** A row that writes a key: `value` is a text, or the name of a value of the run (`$flow.output.next`). */
type Written = { key: string; value: string }

/** The code that writes the state after a node, if its tab is that of code. */
const codeOf = ({ id, inputs }: OldNode): string | undefined => {
  const code = written(inputs.updateStateMemoryCode)
  const tab = chosenTab(inputs, 'selectedUpdateStateMemoryTab', id)
  return tab === 'updateStateMemoryCode' && code.trim() !== '' ? code : undefined
}

/** The rows that write the state after a node. @throws Untranslatable for a table that cannot be read */
export function writtenRows(node: OldNode): Written[] {
  const { inputs } = node
  if (codeOf(node) !== undefined) return []
  const older = inputs.updateStateMemory
  const isTable =
    older !== undefined &&
    older !== '' &&
    older !== 'updateStateMemoryUI' &&
    older !== 'updateStateMemoryCode'
  const rows = rowsIn(isTable ? older : inputs.updateStateMemoryUI)
  if (!rows) throw new Untranslatable('updateStateMemoryUI', 'its table cannot be read', 'Enter it again')
  return rows.flatMap((row) => {
    const key = written(row.key ?? row.Key)
    return key === '' ? [] : [{ key, value: written(row.value ?? row.Value) }]
  })
}

/** A value that a node does not have after every answer: what is absent leaves a key as it is. */
const MAY_BE_ABSENT = /^\$flow\.output(\[|\.(usedTools|sourceDocuments|artifacts))/

/**
 * How the state is written after a model step: by rows of the step itself, or by the inputs of a step with code that follows it.
 *
 * @param node the node of version 1 with the rows
 * @param step the id of the model step
 * @param fields the fields of its structured output, with whether their values are texts
 * @param isToolNode whether `$flow.output` is the list of tool calls
 */
export function stateAfter(
  node: OldNode,
  step: string,
  fields: ReadonlyMap<string, boolean>,
  isToolNode: boolean,
  { keys, variableOf }: Context,
): { rows: JsonObject[]; code?: JsonObject } {
  const code = codeOf(node)
  const rows = writtenRows(node)
  if (code === undefined && rows.length === 0) return { rows: [] }
  const appended = new Set(keys.filter(({ append }) => append).map(({ key }) => key))
  if (
    code !== undefined ||
    isToolNode ||
    rows.some(({ key, value }) => appended.has(key) || MAY_BE_ABSENT.test(value))
  )
    return { rows: [], code: stateCode({ code, rows, step, fields, isToolNode, keys, variableOf }) }
  return {
    rows: rows.map(({ key, value }) => {
      const variable = value.startsWith('$')
        ? variableAt(value, variableOf, (field) => (field === '' ? 'output' : `output.${field}`))
        : undefined
      return {
        key,
        value:
          variable === undefined
            ? withReferences(value, variableOf, 'updateStateMemoryUI')
            : `{{${variable}}}`,
      }
    }),
  }
}

/** The tab of a node with tabs: its name, before the id of the node. */
export function chosenTab(inputs: Record<string, unknown>, tabs: string, id: string): string {
  return written(inputs[`${tabs}_${id}`]).split(`_${id}`)[0]!
}
