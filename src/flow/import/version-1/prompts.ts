import type { Json } from '../../../kit/json.ts'
import { written } from '../../graph.ts'
import { valuesIn } from './draft.ts'
import { Untranslatable } from './untranslatable.ts'

/** The variable with what a node of version 1 said: `agentAgentflow_0`. Undefined where the node says nothing in a run. */
export type VariableOfNode = (id: string) => string | undefined

const INSTANCE = /\{\{\s*([\w-]+)\.data\.instance\s*\}\}/g
/** What stands between two braces as a variable; everything else is a brace that is written twice. */
const VARIABLE =
  /^\{\{\s*(question|chat_history|file_attachment|current_date_time|\$vars\.[\w.[\]-]+|\$flow\.[\w.[\]-]+|[\w-]+\.data\.instance)\s*\}\}/

/**
 * The name of a value of a run, `$flow.state.next`, as a variable of version 2 without its braces.
 *
 * @param output the variable of a field of `$flow.output`; absent where there is no such output
 */
export function variableAt(
  path: string,
  variableOf: VariableOfNode,
  output?: (field: string) => string,
): string | undefined {
  const text = path.trim()
  if (text === '$flow.input') return 'question'
  if (text === '$flow.state.messages.length') return 'runtime_messages_length'
  const messages = /^\$flow\.state\.messages(?=$|[.[])(.*)$/s.exec(text)
  if (messages) return `runtime_messages${messages[1]}`
  const produced = /^\$flow\.output(?:\.|(?=\[)|$)(.*)$/s.exec(text)
  if (produced) return output?.(produced[1] === 'content' ? '' : produced[1]!)
  if (/^\$(flow\.(state|sessionId|chatId|chatflowId)|vars\.)/.test(text)) return text
  return variableOf(text.replace(/^\$/, ''))
}

/** A text with its references to nodes as variables of version 2. @throws Untranslatable for a node that says nothing in a run */
export const withReferences = (text: string, variableOf: VariableOfNode, input: string): string =>
  text.replace(INSTANCE, (_, id: string) => {
    const variable = variableOf(id)
    if (variable === undefined)
      throw new Untranslatable(
        input,
        `it takes the value of ${id}, which is no step of the sequence`,
        'Write the value itself, or a variable such as {{question}}',
      )
    return `{{${variable}}}`
  })

/** The values that prompts of a node name, as texts of version 2. @throws Untranslatable where they are no JSON object */
export function promptValues(
  given: unknown,
  variableOf: VariableOfNode,
  input = 'promptValues',
): ReadonlyMap<string, string> {
  const values = valuesIn(given)
  if (!values) throw new Untranslatable(input, 'it is no JSON object', 'Write {"name": "value"}')
  return new Map(Object.entries(values).map(([name, value]) => [name, valueText(value)]))

  function valueText(value: Json): string {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const variable = text.startsWith('$flow.state') ? variableAt(text, variableOf) : undefined
    if (variable !== undefined) return `{{${variable}}}`
    return withReferences(text, variableOf, input).replaceAll('\\n', '\n').replaceAll('\\t', '\t')
  }
}

/**
 * A prompt of version 1 as a text of version 2: `{name}` is replaced by its value, a brace that is written twice is one brace.
 *
 * @returns the text, and the names that have no value: they stay as they are written
 */
export function promptText(
  template: unknown,
  values: ReadonlyMap<string, string>,
  variableOf: VariableOfNode,
  input: string,
): { text: string; unknown: string[] } {
  const unknown = new Set<string>()
  const source = written(template)
  let text = ''
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at, at + 300)
    const variable = VARIABLE.exec(rest)
    const single = /^\{([^{}]{1,200})\}/.exec(rest)
    if (variable) {
      text += withReferences(variable[0], variableOf, input)
      at += variable[0].length
    } else if (rest.startsWith('{{') || rest.startsWith('}}')) {
      text += rest[0]
      at += 2
    } else if (single) {
      const name = single[1]!.trim()
      const value = values.get(name)
      if (value === undefined && /^[\p{L}_]\w*$/u.test(name)) unknown.add(name)
      text += value ?? single[0]
      at += single[0].length
    } else {
      text += source[at]
      at += 1
    }
  }
  return { text, unknown: [...unknown] }
}
