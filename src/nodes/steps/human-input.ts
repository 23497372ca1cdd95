import { choice, flag, object, text } from '../../contract/field.ts'
import { chosen, defineStep } from './declare.ts'

const PROMPT = `Say in a few sentences what was found and decided so far, and ask the person whether to go on.`

export const humanInputAgentflow = defineStep({
  name: 'humanInputAgentflow',
  label: 'Human Input',
  version: 1,
  description: 'Waits until a person lets the flow go on, or sends it the other way',
  fields: {
    humanInputDescriptionType: choice('Description Type', ['fixed', 'dynamic'], 'fixed'),
    humanInputDescription: text('Description', 'Go on?'),
    humanInputModel: text('Model', undefined),
    humanInputModelConfig: object('Model Parameters', { guard: 'credential' }),
    humanInputModelPrompt: text('Prompt', PROMPT),
    humanInputEnableFeedback: flag('Enable Feedback', true),
  },
  build: (values) => ({
    type: 'person',
    description: values.humanInputDescription,
    feedback: values.humanInputEnableFeedback,
    ...(values.humanInputDescriptionType === 'dynamic'
      ? {
          ask: {
            model: chosen(values.humanInputModel, values.humanInputModelConfig, 'model'),
            prompt: values.humanInputModelPrompt,
          },
        }
      : {}),
  }),
})
