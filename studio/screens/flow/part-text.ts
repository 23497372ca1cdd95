import type { Json } from '../../drawing/flow-file.ts'
import { storedFileName, storedFiles } from '../../drawing/stored-file.ts'

/** A value of a part of a node as a text of one or more lines; secrets and the content of files are not shown. */
export function partText(type: string | undefined, value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return ''
  if (type === 'password') return '••••••••'
  if (type === 'file') return storedFiles(value).map(storedFileName).join(', ')
  if (typeof value === 'object') return JSON.stringify(value, null, 2)
  return String(value)
}

/** Whether two texts are better shown line by line than side by side. */
export const isLong = (...texts: string[]): boolean =>
  texts.some((text) => text.includes('\n') || text.length > 120)
