import type { PastMessage } from '../contract/chat-history.ts'
import type { Variables } from '../contract/variable.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { type VariableScope, valueAtPath } from './variables.ts'

/** The values of a run for `{{…}}` in its texts. */
export type RunFacts = {
  question: string
  /** The values of the form: `$form`. */
  form: JsonObject
  /** The text of the files that were sent with the question. */
  fileText: string
  /** The earlier messages of the conversation. */
  past: readonly PastMessage[]
  now: Date
  variables: Readonly<Record<string, string>>
  /** `$flow`: ids, session, and `state` in agent flows. */
  flow: JsonObject
}

/** The names for both kinds of flows: `question`, `$vars.x`, `$flow.state.y`, … */
export function flowScope(facts: RunFacts): VariableScope {
  const names: Record<string, () => Json> = {
    question: () => facts.question,
    chat_history: () => historyText(facts.past),
    file_attachment: () => facts.fileText,
    current_date_time: () => facts.now.toISOString(),
    runtime_messages_length: () => facts.past.length,
    $form: () => facts.form,
    $vars: () => facts.variables,
    $flow: () => ({ ...facts.flow, chatHistory: historyText(facts.past), input: facts.question }),
  }
  return (name) => {
    const [head, rest] = headOf(name)
    if (!Object.hasOwn(names, head)) return undefined
    const value = names[head]!()
    return rest === undefined ? value : valueAtPath(value, rest)
  }
}

/** Joins scopes: the first one with a value for a name is used. */
export const firstOf =
  (...scopes: readonly VariableScope[]): VariableScope =>
  (name) => {
    for (const scope of scopes) {
      const value = scope(name)
      if (value !== undefined) return value
    }
    return undefined
  }

/** `$flow.state.x` is `$flow` and `state.x`. */
export function headOf(name: string): [head: string, rest: string | undefined] {
  const dot = name.search(/[.[]/)
  if (dot < 0) return [name, undefined]
  return [name.slice(0, dot), name.slice(name[dot] === '.' ? dot + 1 : dot)]
}

/** A conversation as text for prompts: lines of `Human: …` and `Assistant: …`. */
export const historyText = (past: readonly PastMessage[]): string =>
  past.map(({ role, content }) => `${role === 'userMessage' ? 'Human' : 'Assistant'}: ${content}`).join('\n')

/** The values of the workspace's variables by name; those of type `runtime` are read from the environment. */
export async function variableValues(
  variables: Variables,
  environment: (name: string) => string | undefined,
): Promise<Record<string, string>> {
  const all = await variables.list()
  return Object.fromEntries(
    all.flatMap(({ name, type, value }) => {
      const found = type === 'static' ? value : environment(name)
      return found === undefined ? [] : [[name, found]]
    }),
  )
}
