import { defineNode } from '../../cards/define-node.ts'
import { textField } from '../../cards/field.ts'

const utility = { kind: 'value', version: 2, category: 'Utilities', anchors: {} } as const

const variableName = textField('Variable Name', undefined, { main: true, required: true })

/** A drawing of Flowise has a list with one reference, or the reference alone. */
const anyInput = {
  ...textField('Input', '', {
    description: 'The output of a node, {{ID.data.instance}}, or a text',
  }),
  read(raw: unknown): string {
    const first = Array.isArray(raw) ? (raw[0] ?? '') : raw
    if (typeof first === 'string') return first
    throw new Error('expected a text or the output of a node')
  },
}

export const setVariable = defineNode({
  ...utility,
  name: 'setVariable',
  label: 'Set Variable',
  type: 'SetVariable',
  baseClasses: ['SetVariable', 'Utilities'],
  icon: 'variable',
  description: 'Keeps a value for the rest of the answer; Get Variable reads it',
  fields: { input: anyInput, variableName },
  build: ({ values }) => ({
    type: 'setVariable',
    variable: values.variableName ?? '',
    input: values.input,
  }),
})

export const getVariable = defineNode({
  ...utility,
  name: 'getVariable',
  label: 'Get Variable',
  type: 'GetVariable',
  baseClasses: ['GetVariable', 'Utilities'],
  icon: 'variable',
  description: 'Reads a value that Set Variable has kept, as {{ID.data.instance}} in other nodes',
  fields: { variableName },
  build: ({ values }) => ({ type: 'getVariable', variable: values.variableName ?? '' }),
})
