import { written } from '../../graph.ts'
import type { Context } from './context.ts'
import { labelOf } from './model-steps.ts'
import { isCondition, type OldDrawing, type OldNode } from './old-drawing.ts'
import { Untranslatable } from './untranslatable.ts'

/** The number of nodes that a run of version 1 takes at the most: it has no input for it. */
const STEPS_OF_A_RUN = 25

/** Names of nodes in version 1: `Software Engineer` is `software_engineer`. */
export const nameInRun = (label: string): string => label.toLowerCase().replace(/\s/g, '_').trim()

/** Draws a Loop step. @param entry the first step of what a node became. @throws Untranslatable for a name that no node has */
export function addLoop(
  node: OldNode,
  step: string,
  entry: (id: string) => string | undefined,
  { old, draft }: Context,
): void {
  const name = nameInRun(written(node.inputs.loopToName))
  const target = [...old.nodes.values()].find(
    (one) => one.name.startsWith('seq') && one.id !== node.id && nameInRun(labelOf(one)) === name,
  )
  const to = target && entry(target.id)
  if (!target || to === undefined)
    throw new Untranslatable(
      'loopToName',
      `there is no node ${name || '(none)'}`,
      'Choose a node of the sequence',
    )
  const rounds = Math.max(1, Math.floor(STEPS_OF_A_RUN / nodesBetween(old, target.id, node.id)))
  draft.add(step, labelOf(node), node.position, {
    loopBackToNode: `${to}-${labelOf(target)}`,
    maxLoopCount: rounds,
  })
  draft.became(step, node)
  draft.say(
    { id: step, label: labelOf(node) },
    'changed',
    `It goes back ${rounds} times at the most: a run of version 1 has ${STEPS_OF_A_RUN} nodes, and fails after them`,
    { input: 'maxLoopCount', instead: 'Set Max Loop Count' },
  )
}

/** The number of nodes of a round that count as such: conditions do not. At least 1. */
function nodesBetween({ nodes, outOf }: OldDrawing, from: string, to: string): number {
  const counts = new Map([[from, isCondition(nodes.get(from)!) ? 0 : 1]])
  const open = [from]
  for (const id of open)
    for (const { to: next } of outOf.get(id) ?? []) {
      if (counts.has(next)) continue
      counts.set(next, counts.get(id)! + (isCondition(nodes.get(next)!) ? 0 : 1))
      open.push(next)
    }
  // The loop itself counts as no node.
  return Math.max(1, (counts.get(to) ?? 2) - 1)
}
