import type { ModelMessage } from '../../contract/chat-model.ts'
import type { PromptPart, PromptPiece } from '../../contract/prompt.ts'
import { nodeOfName } from '../../flow/named-nodes.ts'
import { expandWithin, type VariableScope } from '../../flow/variables.ts'
import type { Json } from '../../kit/json.ts'

/** The outputs of the nodes that texts name, by id. */
export type NamedOutputs = ReadonlyMap<string, Json>

/** The names of a run, and the outputs of nodes as `llmChain_0.data.instance`. */
export const withOutputs =
  (scope: VariableScope, outputs: NamedOutputs): VariableScope =>
  (name) => {
    const id = nodeOfName(name)
    return id !== undefined && outputs.has(id) ? outputs.get(id) : scope(name)
  }

/**
 * The messages of a prompt, with its values and the names of the run. Values that are inserted are not read again: a user's `{name}`
 * stays as it is. A name without a value stays too.
 *
 * @param values values besides those of the prompt, which win over them: the question, the form of the answer
 */
export function filledPrompt(
  prompt: PromptPart,
  values: Readonly<Record<string, string>>,
  scope: VariableScope,
): Extract<ModelMessage, { role: 'system' | 'user' | 'assistant' }>[] {
  const drawn = expandWithin(prompt.values, scope) as Record<string, Json>
  const all: Record<string, Json> = { ...drawn, ...values }
  const filledValue = (name: string) => (Object.hasOwn(all, name) ? all[name] : undefined)
  const messages = prompt.messages.map(({ role, pieces }) => ({
    role,
    content: pieces.map((piece) => textOf(piece, filledValue, scope)).join(''),
  }))
  return messages.filter(({ role, content }) => role === 'user' || content.trim() !== '')
}

function textOf(
  piece: PromptPiece,
  filledValue: (name: string) => Json | undefined,
  scope: VariableScope,
): string {
  switch (piece.type) {
    case 'text':
      return piece.text
    case 'value':
      return written(filledValue(piece.name)) ?? `{${piece.name}}`
    case 'place':
      // Double braces that hold no name of the run are a brace that is to stay.
      return written(scope(piece.name)) ?? `{${piece.name}}`
  }
}

const written = (value: Json | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
