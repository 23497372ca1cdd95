import { choiceField, flagField, objectField, textField } from '../../cards/field.ts'
import { chosenNode, defineStep } from './step-card.ts'

const PROMPT = `Say in a few sentences what was found and decided so far, and ask the person whether to go on.`

export const humanInputAgentflow = defineStep({
  name: 'humanInputAgentflow',
  label: 'Human Input',
  version: 1,
  icon: 'user-check',
  description: 'Waits until a person proceeds or rejects. Each decision has its branch',
  fields: {
    humanInputDescriptionType: choiceField('Description Type', ['fixed', 'dynamic'], 'fixed', { main: true }),
    humanInputDescription: textField('Description', 'Go on?', {
      main: true,
      multiline: true,
      showWhen: { humanInputDescriptionType: ['fixed'] },
    }),
    humanInputModel: textField('Model', undefined, {
      selects: 'chatModel',
      showWhen: { humanInputDescriptionType: ['dynamic'] },
    }),
    humanInputModelConfig: objectField('Model Parameters', {
      guard: 'credential',
      showWhen: { humanInputDescriptionType: ['dynamic'] },
    }),
    humanInputModelPrompt: textField('Prompt', PROMPT, {
      multiline: true,
      showWhen: { humanInputDescriptionType: ['dynamic'] },
    }),
    humanInputEnableFeedback: flagField('Enable Feedback', true),
  },
  outputs: [{ label: 'Proceed' }, { label: 'Reject' }],
  build: (values) => ({
    type: 'humanInput',
    description: values.humanInputDescription,
    feedback: values.humanInputEnableFeedback,
    ...(values.humanInputDescriptionType === 'dynamic'
      ? {
          ask: {
            model: chosenNode(
              'humanInputModel',
              values.humanInputModel,
              values.humanInputModelConfig,
              'model',
            ),
            prompt: values.humanInputModelPrompt,
          },
        }
      : {}),
  }),
})
