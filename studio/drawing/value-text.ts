import type { Json } from './flow-file.ts'
import type { DrawnNode } from './graph.ts'
import type { NodeInput } from './node-kinds.ts'
import { rowsOf } from './rows-of.ts'
import { storedFileName, storedFiles } from './stored-file.ts'
import { visibleInputs } from './visible-inputs.ts'

/** A value of an input as a person reads it in one line, with its unit; secrets are not shown. */
export function valueText({ type, options, unit }: NodeInput, value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return ''
  if (type === 'password') return '••••••••'
  if (type === 'file') return storedFiles(value).map(storedFileName).join(', ')
  if (type === 'boolean') return String(value) === 'true' ? 'yes' : 'no'
  const rows = type === 'array' ? rowsOf(value) : []
  if (rows.length > 0) return rows.length === 1 ? '1 row' : `${rows.length} rows`
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (text === '{}' || text === '[]') return ''
  const shown = options?.find(({ name }) => name === text)?.label ?? text.replace(/\s+/g, ' ').slice(0, 200)
  return unit === undefined ? shown : `${shown} ${unit}`
}

export type ValueLine = { name: string; label: string; text: string }

/** The inputs of a node whose values differ from the defaults, at most so many. */
export function changedValues({ fields, values }: DrawnNode, limit: number): ValueLine[] {
  return fields
    .flatMap((input) => {
      if (input.type === 'credential') return []
      const text = valueText(input, values[input.name])
      const usual = valueText(input, input.default)
      return text === '' || text === usual ? [] : [{ name: input.name, label: input.label, text }]
    })
    .slice(0, limit)
}

export type UsedValue = ValueLine & { isDefault: boolean; isMain: boolean }

/** Every input of a node with the value that an upsert uses: the one of the flow, or the default. */
export function usedValues({ fields, values }: DrawnNode): UsedValue[] {
  return visibleInputs(fields, values).map((input) => {
    const text = valueText(input, values[input.name])
    const usual = valueText(input, input.default)
    return {
      name: input.name,
      label: input.label,
      text: text || usual,
      isDefault: text === '' || text === usual,
      isMain: input.main === true,
    }
  })
}
