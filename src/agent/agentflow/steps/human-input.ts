import type { StepPart } from '../../../contract/step.ts'
import { createPendingAction } from '../../approval.ts'
import { pastMessages } from '../../conversation.ts'
import { runModelTurn } from '../../model-turn.ts'
import type { StepContext, StepResult } from '../step-context.ts'

type Step = Extract<StepPart, { type: 'humanInput' }>

/** Waits for a person. Branch 0 is to proceed, branch 1 is to reject. */
export async function runHumanInput(step: Step, context: StepContext): Promise<StepResult> {
  const { resumed, node } = context
  if (resumed) {
    const { type, feedback = '' } = resumed.human
    const content = [type === 'proceed' ? 'Proceed' : 'Reject', ...(feedback === '' ? [] : [feedback])].join(
      ': ',
    )
    return {
      branch: type === 'proceed' ? 0 : 1,
      output: { content, humanInput: { type, feedback } },
      messages: [{ role: 'userMessage', content }],
    }
  }
  const question = step.ask ? await writeQuestion(step.ask, context) : { text: step.description }
  return {
    output: { content: question.text },
    ...('usage' in question ? { usage: question.usage } : {}),
    waiting: {
      text: question.text,
      action: createPendingAction(node, { humanInputEnableFeedback: step.feedback }),
    },
  }
}

/** Lets a model write what the person has to decide. */
function writeQuestion({ model, prompt }: NonNullable<Step['ask']>, { parts, run, signal }: StepContext) {
  const messages = [...pastMessages(run.said), { role: 'user', content: prompt } as const]
  return runModelTurn(parts.make('chatModel', model), { messages }, () => {}, signal, 'ask the person')
}
