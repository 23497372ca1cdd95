import { choice, flag, number, text } from '../../contract/field.ts'

const additional = { additional: true }
const tokens = { whole: true, min: 1, max: 10_000_000 }

/** Inputs that the cards of several providers have; each call makes fields of its own. */
export const temperature = () => number('Temperature', 0.9, { min: 0, max: 2 })
export const streaming = () => flag('Streaming', true, additional)
export const imageUploads = () =>
  flag('Allow Image Uploads', false, { description: 'Show the model the pictures that users send' })
export const maxTokens = (label = 'Max Tokens') => number(label, undefined, tokens, additional)
export const topP = () => number('Top Probability', undefined, { min: 0, max: 1 }, additional)
export const topK = () => number('Top K', undefined, { whole: true, min: 0 }, additional)
export const penalty = (label: string) => number(label, undefined, { min: -2, max: 2 }, additional)
export const timeout = () =>
  number(
    'Timeout',
    undefined,
    { whole: true, min: 1, max: 3_600_000 },
    { ...additional, description: 'How many milliseconds the provider may be silent' },
  )
export const effort = (options: readonly string[]) =>
  choice('Reasoning Effort', options, undefined, additional)
export const address = (label: string) => text(label, undefined, { ...additional, guard: 'url' })

/** Values that were given; an input that is empty leaves the choice to the provider. */
export const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [N in keyof T]?: Exclude<T[N], undefined>
  }

export const chatModelCard = { kind: 'chatModel', category: 'Chat Models', anchors: {} } as const
