import type { StepPart } from '../../../contract/step.ts'
import { createPendingAction } from '../../approval.ts'
import { pastMessages } from '../../conversation.ts'
import { runModelTurn } from '../../model-turn.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'person' }>

/** Waits for a person: way 0 is to proceed, way 1 to reject. */
export async function runHumanInput(step: Step, context: StepContext): Promise<StepResult> {
  const { resumed, node } = context
  if (resumed) {
    const { type, feedback = '' } = resumed.human
    const content = [type === 'proceed' ? 'Proceed' : 'Reject', ...(feedback === '' ? [] : [feedback])].join(
      ': ',
    )
    return {
      way: type === 'proceed' ? 0 : 1,
      output: { content, humanInput: { type, feedback } },
      said: [{ role: 'userMessage', content }],
    }
  }
  const asked = step.ask ? await describe(step.ask, context) : { text: step.description }
  return {
    output: { content: asked.text },
    ...('usage' in asked ? { usage: asked.usage } : {}),
    waiting: {
      text: asked.text,
      action: createPendingAction(node, { humanInputEnableFeedback: step.feedback }),
    },
  }
}

/** Lets a model say what there is to decide. */
function describe({ model, prompt }: NonNullable<Step['ask']>, { parts, run, signal }: StepContext) {
  const messages = [...pastMessages(run.said), { role: 'user', content: prompt } as const]
  return runModelTurn(parts.make('chatModel', model), { messages }, () => {}, signal)
}
