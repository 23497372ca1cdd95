import type { Context, Translated } from './context.ts'
import { isCondition, type OldNode } from './old-drawing.ts'

type Ways = ReadonlyMap<string, Translated & { hasCode: boolean }>

/**
 * Draws a reply at each end whose last step says something that is no answer: a choice, or a state. The answer of a run of version 1 is
 * the last message of its nodes.
 */
export function addEndings(
  ways: Ways,
  {
    toolNodes,
    speakersBefore,
  }: { toolNodes: ReadonlyMap<string, OldNode>; speakersBefore(id: string): OldNode[] },
  { old, draft, variableOf }: Context,
): void {
  for (const node of old.nodes.values()) {
    const way = ways.get(node.id)
    if (node.name === 'seqEnd') addReply(node, old.into.get(node.id) ?? [])
    else if (way && isOpen(node)) addReply(node, [{ from: node.id, output: isCondition(node) ? 'end' : '' }])
  }

  /** Whether a branch ends with the node itself. */
  function isOpen(node: OldNode): boolean {
    if (node.name === 'seqLoop' || toolNodes.has(node.id)) return false
    const out = old.outOf.get(node.id) ?? []
    return isCondition(node) ? !out.some(({ output }) => output === 'end') : out.length === 0
  }

  function addReply(node: OldNode, edges: readonly { from: string; output: string }[]): void {
    const noisy = edges.filter(({ from }) => isNoisy(from))
    if (noisy.length === 0) return
    const speakers = [...new Set(noisy.flatMap(({ from }) => speakersOf(from)))]
    const [speaker, ...others] = speakers
    const variable =
      speaker === undefined || others.length > 0
        ? 'runtime_messages[-1].content'
        : speaker.name === 'seqStart'
          ? 'question'
          : variableOfSpeaker(speaker)
    const id = draft.reserve('directReplyAgentflow')
    const { x, y } = node.position
    draft.add(id, 'Answer', node.name === 'seqEnd' ? node.position : { x: x + 300, y }, {
      directReplyMessage: `{{${variable}}}`,
    })
    for (const { from, output } of noisy)
      for (const exit of ways.get(from)?.exits(output) ?? []) draft.connect(exit.from, exit.output, id)
    draft.say(
      { id, label: 'Answer' },
      'changed',
      'The answer of the last model is said here: it was the last message',
    )
  }

  function variableOfSpeaker(speaker: OldNode): string {
    const model = [...toolNodes].find(([, { id }]) => id === speaker.id)?.[0] ?? speaker.id
    return variableOf(model) ?? 'runtime_messages[-1].content'
  }

  function speakersOf(id: string): OldNode[] {
    const node = old.nodes.get(id)!
    return isCondition(node) ? speakersBefore(id) : [node]
  }

  /** Whether the step that ends a branch, or one since the last message, has a text that is no message. */
  function isNoisy(id: string): boolean {
    const seen = new Set<string>()
    const open = [id]
    for (const one of open) {
      if (seen.has(one)) continue
      seen.add(one)
      if (ways.get(one)?.hasCode === true) return true
      if (isCondition(old.nodes.get(one)!)) for (const { from } of old.into.get(one) ?? []) open.push(from)
    }
    return false
  }
}
