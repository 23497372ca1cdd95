import { UsageError } from './failure.ts'

/**
 * Splits `name=value`; the value may contain equals signs.
 *
 * @param place what was given, for messages, such as `--set`
 * @throws UsageError
 */
export function assignment(text: string, place: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`${place}: expected name=value, received ${JSON.stringify(text)}`)
  return [text.slice(0, at).trim(), text.slice(at + 1)]
}

/** Assignments as one object. @throws UsageError for a name that is given twice */
export function assignments(texts: readonly string[], place: string): Record<string, string> {
  const pairs = texts.map((text) => assignment(text, place))
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) < at)
  if (twice) throw new UsageError(`${place}: ${twice[0]} is given twice`)
  return Object.fromEntries(pairs)
}
