import { choiceField, flagField, numberField, textField } from '../../cards/field.ts'

const additional = { additional: true }
const tokens = { whole: true, min: 1, max: 10_000_000 }

/** Inputs that several chat model nodes share. */
export const temperatureField = () => numberField('Temperature', 0.9, { min: 0, max: 2 }, { main: true })
export const streamingField = () => flagField('Streaming', true, additional)
export const imageUploadsField = () =>
  flagField('Allow Image Uploads', false, { description: 'Sends the pictures of users to the model' })
export const maxTokensField = (label = 'Max Tokens') =>
  numberField(label, undefined, tokens, { ...additional, unit: 'tokens' })
export const topPField = () => numberField('Top Probability', undefined, { min: 0, max: 1 }, additional)
export const topKField = () => numberField('Top K', undefined, { whole: true, min: 0 }, additional)
export const penaltyField = (label: string) => numberField(label, undefined, { min: -2, max: 2 }, additional)
export const timeoutField = () =>
  numberField(
    'Timeout',
    undefined,
    { whole: true, min: 1, max: 3_600_000 },
    { ...additional, unit: 'ms', description: 'How long the provider may send nothing' },
  )
export const effortField = (options: readonly string[]) =>
  choiceField('Reasoning Effort', options, undefined, additional)
export const baseUrlField = (label: string) => textField(label, undefined, { ...additional, guard: 'url' })

/** Drops undefined values: for an empty input the provider uses its default. */
export const omitUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [N in keyof T]?: Exclude<T[N], undefined>
  }

export const chatModelCard = { kind: 'chatModel', category: 'Chat Models', anchors: {} } as const
