import type { VariableName } from '../drawing/variable-names.ts'

/** A place in a text where a variable is being typed: `from` is behind the braces. */
export type OpenPlace = { from: number; typed: string }

/** The variable that is being typed before the caret; undefined where there is none. */
export function openPlace(text: string, caret: number): OpenPlace | undefined {
  const typed = /\{\{\s*([\w$.[\]-]*)$/.exec(text.slice(0, caret))
  return typed ? { from: caret - typed[1]!.length, typed: typed[1]! } : undefined
}

/** The names that contain what was typed; those that begin with it come first. */
export function namesFor(names: readonly VariableName[], typed: string): VariableName[] {
  const wanted = typed.toLowerCase()
  const begins = ({ name }: VariableName) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return names
    .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted))
    .sort((a, b) => begins(a) - begins(b))
}

/** The text with a name in place of what was typed, closed with braces, and where the caret goes. */
export function withName(
  text: string,
  caret: number,
  { from }: OpenPlace,
  name: string,
): { text: string; caret: number } {
  const rest = text.slice(caret)
  const closing = /^\s*\}\}/.exec(rest)?.[0]
  const before = `${text.slice(0, from)}${name}`
  return closing === undefined
    ? { text: `${before}}}${rest}`, caret: before.length + 2 }
    : { text: `${before}${rest}`, caret: before.length + closing.length }
}
