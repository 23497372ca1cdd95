import type { PartKind } from '../contract/card.ts'
import type { ChosenNode, StepPart } from '../contract/step.ts'

/** The parts that a step is configured with, and the kind that each has to be. */
export function chosenNodesIn(step: StepPart): [PartKind, ChosenNode][] {
  switch (step.type) {
    case 'model':
      return [
        ['chatModel', step.model],
        ...step.tools.map(({ tool }): [PartKind, ChosenNode] => ['tools', tool]),
        ...step.knowledge.flatMap(({ from }): [PartKind, ChosenNode][] =>
          'flow' in from
            ? []
            : [
                ['vectorStore', from.store],
                ['embedder', from.embedder],
              ],
        ),
      ]
    case 'conditionAgent':
      return [['chatModel', step.model]]
    case 'tool':
      return [['tools', step.tool]]
    case 'humanInput':
      return step.ask ? [['chatModel', step.ask.model]] : []
    default:
      return []
  }
}
