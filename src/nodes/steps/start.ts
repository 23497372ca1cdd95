import { choiceField, flagField, rowListField, textField } from '../../cards/field.ts'
import { isObject, parseJson } from '../../kit/json.ts'
import { defineStep, keyValues } from './step-card.ts'
import { stateColumns } from './step-columns.ts'
import { InputError } from '../../cards/input-error.ts'

/** The state as rows, or from a request as an object: `{"city": "Oslo"}`. */
const startState = {
  ...rowListField('Flow State', { columns: stateColumns }),
  read(raw: unknown) {
    const value = typeof raw === 'string' ? parseJson(raw) : raw
    if (!isObject(value)) return rowListField('Flow State').read(raw)
    return Object.entries(value).map(([key, inner]) => ({ key, value: inner as string }))
  },
}

const FORM = { startInputType: ['formInput'] } as const

const formColumns = {
  type: choiceField('Type', ['string', 'number', 'boolean', 'options'], 'string'),
  label: textField('Label', ''),
  name: textField('Name', ''),
  addOptions: rowListField('Options', {
    columns: { option: textField('Option', '') },
    showWhen: { type: ['options'] },
  }),
}

export const startAgentflow = defineStep({
  name: 'startAgentflow',
  label: 'Start',
  version: 1.4,
  icon: 'play',
  description: 'The beginning of an agent flow: a question or a form',
  fields: {
    startInputType: choiceField(
      'Input Type',
      ['chatInput', 'formInput', 'webhookTrigger', 'scheduleInput'],
      'chatInput',
      { main: true },
    ),
    formTitle: textField('Form Title', '', { showWhen: FORM }),
    formDescription: textField('Form Description', '', { multiline: true, showWhen: FORM }),
    formInputTypes: rowListField('Form Input Types', { columns: formColumns, showWhen: FORM }),
    startEphemeralMemory: flagField('Ephemeral Memory', false, {
      main: true,
      description: 'Ignores the earlier messages of the session',
    }),
    startState,
    startPersistState: flagField('Persist State', false, {
      description:
        'Begins with the state that the last run of the session ended with; Flow State then only gives keys their first values',
    }),
  },
  build(values) {
    const { startInputType } = values
    if (startInputType === 'webhookTrigger' || startInputType === 'scheduleInput')
      throw new InputError('startInputType', 'a start by webhook or schedule is not supported', {
        instead:
          'Choose a question or a form; what calls the webhook then calls POST /api/v1/prediction/:flowId, a schedule by cron',
      })
    return {
      type: 'start',
      form: startInputType === 'formInput',
      state: keyValues(values.startState),
      ephemeral: values.startEphemeralMemory,
      persistsState: values.startPersistState,
    }
  },
})
