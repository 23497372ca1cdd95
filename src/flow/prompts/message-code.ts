import type { TemplateMessage } from '../../contract/prompt.ts'
import { isObject } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'

const ROLES: Readonly<Record<string, TemplateMessage['role']>> = {
  HumanMessage: 'user',
  AIMessage: 'assistant',
  SystemMessage: 'system',
}
const MESSAGE = /\bnew\s+(\w+)\s*\(/g

/**
 * Reads the messages of Flowise's code for the history of a prompt, `return [new HumanMessage("2 + 2?"), new AIMessage("4")]`, without
 * running it: texts that are written out.
 *
 * @throws Error for messages that are computed or call tools
 */
export function messagesOfCode(code: string): TemplateMessage[] {
  const messages: TemplateMessage[] = []
  MESSAGE.lastIndex = 0
  for (let found = MESSAGE.exec(code); found; found = MESSAGE.exec(code)) {
    const [, name] = found
    const role = Object.hasOwn(ROLES, name!) ? ROLES[name!] : undefined
    if (!role) throw new Error(`it makes a ${name}; read are ${Object.keys(ROLES).join(', ')}`)
    const end = endOfArguments(code, MESSAGE.lastIndex)
    const text = textOf(code.slice(MESSAGE.lastIndex, end))
    if (text === undefined) throw new Error(`the text of a ${name} is not written out`)
    MESSAGE.lastIndex = end
    messages.push({ role, pieces: [{ type: 'text', text }] })
  }
  if (messages.length === 0) throw new Error('it returns no messages')
  return messages
}

/** Where the bracket closes that is open before an offset; brackets within quotes do not count. */
function endOfArguments(code: string, from: number): number {
  let depth = 1
  let quote = ''
  for (let at = from; at < code.length; at++) {
    const sign = code[at]!
    if (quote !== '') {
      if (sign === '\\') at++
      else if (sign === quote) quote = ''
    } else if (`"'\``.includes(sign)) quote = sign
    else if ('([{'.includes(sign)) depth++
    else if (')]}'.includes(sign) && --depth === 0) return at
  }
  throw new Error('a bracket is not closed')
}

/** A text, or the `content` of an object without calls of tools. */
function textOf(written: string): string | undefined {
  const text = written.trim().replace(/,$/, '').trim()
  const value = /^`([^`$\\]*)`$/.exec(text)?.[1] ?? lenientJson(text)
  if (typeof value === 'string') return value
  const calls = isObject(value) ? value.tool_calls : undefined
  return isObject(value) && typeof value.content === 'string' && !(Array.isArray(calls) && calls.length > 0)
    ? value.content
    : undefined
}
