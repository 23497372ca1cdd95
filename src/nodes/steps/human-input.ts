import { choiceField, flagField, objectField, textField } from '../../contract/field.ts'
import { chosenNode, defineStep } from './step-card.ts'

const PROMPT = `Say in a few sentences what was found and decided so far, and ask the person whether to go on.`

export const humanInputAgentflow = defineStep({
  name: 'humanInputAgentflow',
  label: 'Human Input',
  version: 1,
  description: 'Waits until a person proceeds or rejects. Each decision has its branch',
  fields: {
    humanInputDescriptionType: choiceField('Description Type', ['fixed', 'dynamic'], 'fixed'),
    humanInputDescription: textField('Description', 'Go on?'),
    humanInputModel: textField('Model', undefined),
    humanInputModelConfig: objectField('Model Parameters', { guard: 'credential' }),
    humanInputModelPrompt: textField('Prompt', PROMPT),
    humanInputEnableFeedback: flagField('Enable Feedback', true),
  },
  build: (values) => ({
    type: 'humanInput',
    description: values.humanInputDescription,
    feedback: values.humanInputEnableFeedback,
    ...(values.humanInputDescriptionType === 'dynamic'
      ? {
          ask: {
            model: chosenNode(values.humanInputModel, values.humanInputModelConfig, 'model'),
            prompt: values.humanInputModelPrompt,
          },
        }
      : {}),
  }),
})
