import { blank } from './blank.ts'
import { isTest } from './house.ts'

const TYPES = /^(import type|export type|export interface|type|interface)\b/
/** Constants of another contract. */
const OWN_IMPORT = /^import\b[^;]*?from '\.\//
const CONSTANT = /^(?:export )?const\b/
/** The sign before the value, and not one of a type such as `() => void`. */
const VALUE = /(?<!=)=(?![=>])/
/** What runs: a function, a class, a call. */
const RUNS = /=>|\bfunction\b|\bclass\b|\bnew\b|\(/

/**
 * The lines on which a file of src/contract/ begins something that runs. A file there exports types, and constants that are plain data
 * and part of the meaning of a type: a list of names, a limit. What works on the types belongs to a room.
 */
export function behaviour(file: string, source: string): number[] {
  if (isTest(file) || !file.startsWith('src/contract/')) return []
  const found: number[] = []
  for (const { line, code } of statements(source)) {
    if (TYPES.test(code) || OWN_IMPORT.test(code)) continue
    const sign = VALUE.exec(code)
    const isData = CONSTANT.test(code) && sign !== null && !RUNS.test(code.slice(sign.index))
    if (!isData) found.push(line)
  }
  return found
}

/** The statements of a file that is formatted: each begins at the start of a line, and no line within one with a letter. */
function statements(source: string): { line: number; code: string }[] {
  const found: { line: number; code: string }[] = []
  const lines = source.split('\n')
  for (const [index, code] of blank(source).split('\n').entries()) {
    if (/^\w/.test(code)) found.push({ line: index + 1, code: '' })
    const last = found.at(-1)
    // The place that an import names is a text, which is blank.
    if (last) last.code += `${code.startsWith('import') ? lines[index] : code}\n`
  }
  return found
}
