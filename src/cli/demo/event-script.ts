import type { Message, ScriptedTurn } from './scripted-model.ts'

/** The questions of the agent demo, and what the scripted model does for each, turn by turn. */

const MEETUP = { name: 'Rust Meetup', date: '2027-03-01T18:00:00Z', location: 'Oslo, Norway' }
const LATER = { ...MEETUP, date: '2027-03-02T18:00:00Z' }

type Step = (seen: Seen) => ScriptedTurn
type Seen = {
  /** The outputs of the tools since the question, in order. */
  outputs: string[]
  /** The id of the event in the conversation. */
  id: string
}

const CONVERSATION: { question: string; steps: Step[] }[] = [
  {
    question: 'Which events are there?',
    steps: [
      () => ({ call: 'get_events', input: {} }),
      ({ outputs }) => ({ say: `There are these: ${namesIn(outputs.at(-1)).join('; ')}.` }),
    ],
  },
  {
    question: 'Add a Rust Meetup in Oslo on 1 March 2027 at 18:00.',
    steps: [
      () => ({ call: 'create_event', input: { body: MEETUP } }),
      ({ id }) => ({ say: `Done: the Rust Meetup is event ${id}.` }),
    ],
  },
  {
    question: 'It has to be a day later.',
    steps: [
      ({ id }) => ({ call: 'update_event', input: { body: { id, ...LATER } } }),
      // The event service has no PUT, so this call fails, and the next one uses PATCH.
      ({ id }) => ({ call: 'change_event', input: { queryParams: { id }, body: LATER } }),
      ({ id }) => ({
        say: `A plain update was not found there, so I changed event ${id} in place: 2 March 2027.`,
      }),
    ],
  },
  {
    question: 'Cancel it after all.',
    steps: [
      ({ id }) => ({ call: 'delete_event', input: { queryParams: { id } } }),
      ({ id }) => ({ say: `Event ${id} is gone.` }),
    ],
  },
]

export const EVENT_QUESTIONS: readonly string[] = CONVERSATION.map(({ question }) => question)

/** The next turn of the model. The last message of the user selects the question. */
export function playEvents(messages: readonly Message[]): ScriptedTurn {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const question = String(messages[asked]?.content ?? '')
  const { steps } = CONVERSATION.find((one) => question.includes(one.question)) ?? { steps: [] }
  const outputs = messages
    .slice(asked)
    .flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []))
  const step = steps[outputs.length]
  return (
    step?.({ outputs, id: idIn(messages) }) ?? {
      say: 'This is a script, not a model: it can answer only the questions of the demo.',
    }
  )
}

const namesIn = (output = ''): string[] =>
  [...output.matchAll(/"name":\s*"([^"]+)"/g)].map((match) => match[1]!)

/** The id of the created event: from the output of the tool, or from an answer of the model. */
function idIn(messages: readonly Message[]): string {
  const ids = messages.flatMap(({ role, content }) => {
    const pattern = role === 'tool' ? /"id":\s*"([0-9a-f-]{36})"/ : /event ([0-9a-f-]{36})/
    return pattern.exec(content ?? '')?.[1] ?? []
  })
  return ids.at(-1) ?? 'unknown'
}
