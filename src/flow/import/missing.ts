import type { NodeCard } from '../../contract/card.ts'
import { isEmptyInput } from '../../cards/field.ts'
import { isObject, parseJson } from '../../kit/json.ts'
import { insteadOfModule, missingModules } from '../../openapi/sandbox/required-modules.ts'
import { parseStoredFiles } from '../../sources/stored-files.ts'

/** Something that an input refers to and this server does not have, or its value: the flow cannot run without it. */
export type Missing = {
  input: string
  what: 'flow' | 'document store' | 'file' | 'module' | 'value'
  /** The name of the missing thing; empty if the input is required and has no value. */
  named: string
}

/** What to do where a node names a document store that is not here. */
export const MISSING_STORE_HINT =
  'Choose a document store of this server, or another flow that holds documents, by its id or slug'

/** Finds what the inputs of a node refer to and this server does not have. @param flows ids and slugs of existing flows */
export function* missingOf(
  card: NodeCard,
  inputs: Record<string, unknown>,
  flows: ReadonlySet<string>,
): Iterable<Missing> {
  for (const [input, field] of Object.entries(card.fields)) {
    const value = inputs[input]
    const given = [input, ...(field.alternatives ?? [])].some((name) => !isEmptyInput(inputs[name]))
    if (field.required && !given) yield { input, what: field.type === 'file' ? 'file' : 'value', named: '' }
    if (isEmptyInput(value)) continue
    if (field.type === 'file')
      for (const file of parseStoredFiles(typeof value === 'string' ? value : JSON.stringify(value), input))
        if (file.base64 === undefined) yield { input, what: 'file', named: file.name }
    if (field.type === 'code')
      for (const named of missingModules(String(value))) yield { input, what: 'module', named }
    if (field.refersTo !== undefined)
      for (const named of namesIn(value, field.refersTo.column))
        if (!flows.has(named.split(':', 1)[0]!))
          yield { input, what: field.refersTo.store ? 'document store' : 'flow', named }
  }
}

/** The names in a value: the value itself, or a column of its rows. Names with variables are only known at run time. */
function namesIn(value: unknown, column: string | undefined): string[] {
  const list = typeof value === 'string' && column !== undefined ? parseJson(value) : value
  const names =
    column === undefined
      ? [value]
      : Array.isArray(list)
        ? list.map((row) => (isObject(row) ? row[column] : undefined))
        : []
  return names.filter((name) => typeof name === 'string' && name !== '' && !name.includes('{{')) as string[]
}

/** What to do about something that is missing: `instead` where this server has none of its kind. */
export function missingAdvice(what: Missing['what'], named: string): { hint: string } | { instead: string } {
  switch (what) {
    case 'module':
      return { instead: insteadOfModule(named) }
    case 'flow':
      return { hint: 'Import that flow too, or name one of this server by its id or slug' }
    case 'document store':
      return { hint: MISSING_STORE_HINT }
    case 'file':
      return { hint: 'Choose the file again: exports contain no files' }
    case 'value':
      return { hint: 'Enter a value: the node needs one' }
  }
}
