import type { AnswererPart, PassageSearch } from '../../contract/card.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { Loader } from '../../contract/loader.ts'
import type { PromptPart } from '../../contract/prompt.ts'
import { nodeOfName, nodesNamedIn } from '../../flow/named-nodes.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { addUsage } from '../model-turn.ts'
import type { NamedOutputs } from './filled-prompt.ts'

/** The output of a node, and what it has cost. */
export type NamedOutput = { value: Json; usage: TokenUsage }

/** A node whose output stands in prompts. */
export type NamedPart = { label: string } & (
  | { kind: 'answerer'; part: AnswererPart }
  | { kind: 'loader'; part: Loader }
  | { kind: 'passages'; part: PassageSearch }
)

/** Builds a node that a prompt names. @throws SluiceError as `assemble` does */
export type BuildNamed = (nodeId: string) => NamedPart

/** Runs a node once. `outputs`: those of the nodes that its own prompts name. */
export type RunNamed = (nodeId: string, named: NamedPart, outputs: NamedOutputs) => Promise<NamedOutput>

/** The nodes that the prompts of an answering node need, each built once, in an order in which each comes after those that it needs. */
export type NamedParts = ReadonlyMap<string, NamedPart>

/**
 * Builds all nodes whose outputs the prompts of a node have, also those that their own prompts name.
 *
 * @throws SluiceError `flow_invalid` for chains that need one another, and what building throws
 */
export function buildNamedParts(root: AnswererPart, build: BuildNamed): NamedParts {
  const done = new Map<string, NamedPart>()
  const open = new Set<string>()
  const visit = (id: string) => {
    if (done.has(id)) return
    if (open.has(id)) {
      const reason = `the prompt of ${id} needs its own answer, through ${[...open].join(', ')}`
      throw new SluiceError('flow_invalid', { reason, nodeId: id })
    }
    open.add(id)
    const named = build(id)
    for (const inner of neededBy(named)) visit(inner)
    open.delete(id)
    done.set(id, named)
  }
  for (const id of namedBy(root)) visit(id)
  return done
}

/**
 * Runs nodes and returns their outputs by id. Those that do not need one another run at the same time.
 *
 * @throws the errors of the nodes; the others are then not waited for
 */
export async function namedOutputs(
  parts: NamedParts,
  run: RunNamed,
): Promise<{ outputs: NamedOutputs; usage: TokenUsage }> {
  const running = new Map<string, Promise<NamedOutput>>()
  // Each part stands after those that it needs, so their runs have begun.
  for (const [id, named] of parts) {
    const needed = neededBy(named)
    const outputs = Promise.all(needed.map(async (one) => [one, (await running.get(one)!).value] as const))
    running.set(
      id,
      outputs.then((known) => run(id, named, new Map(known))),
    )
  }
  const done = await Promise.all([...running].map(async ([id, output]) => [id, await output] as const))
  return {
    outputs: new Map(done.map(([id, { value }]) => [id, value])),
    usage: done.map(([, { usage }]) => usage).reduce(addUsage, { inputTokens: 0, outputTokens: 0 }),
  }
}

/** The ids of the nodes whose outputs a named node needs. */
function neededBy(named: NamedPart): string[] {
  if (named.kind === 'answerer') return namedBy(named.part)
  return named.kind === 'passages' ? nodesNamedIn(named.part.query) : []
}

/** The prompts of an answering node. */
function promptsOf(part: AnswererPart): PromptPart[] {
  switch (part.type) {
    case 'promptChain':
      return [part.prompt]
    case 'conversationChain':
      return part.prompt ? [part.prompt] : []
    case 'multiPromptChain':
      return part.prompts.map(({ prompt }) => prompt)
    default:
      return []
  }
}

/** The ids of the nodes whose outputs the prompts of an answering node have. */
const namedBy = (part: AnswererPart): string[] => [
  ...new Set(
    promptsOf(part).flatMap(({ messages, values }) => [
      ...nodesNamedIn(values),
      ...messages.flatMap(({ pieces }) =>
        pieces.flatMap((piece) => (piece.type === 'place' ? (nodeOfName(piece.name) ?? []) : [])),
      ),
    ]),
  ),
]
