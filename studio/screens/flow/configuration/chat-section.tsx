import { useStore } from 'zustand'
import type { Json, JsonObject } from '../../../drawing/flow-file.ts'
import forms from '../../../forms/forms.module.css'
import { SwitchInput } from '../../../forms/switch-input.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { useOpenFlow } from '../open-flow.ts'
import { promptsOf, withPrompts } from './line-list.ts'
import { LinesInput } from './lines-input.tsx'

/** Texts of the chat window, at the top of `chatbotConfig`. */
const TEXTS = [
  { name: 'title', label: 'Title', about: 'Stands at the top of the window.' },
  { name: 'welcomeMessage', label: 'Welcome message', about: 'The first message, before a question.' },
  { name: 'errorMessage', label: 'Error message', about: 'Shown in place of an answer that failed.' },
] as const

/** Members of `chatbotConfig` with a switch `status`. */
const SWITCHES = [
  { name: 'chatFeedback', label: 'Feedback', about: 'Readers can mark an answer as good or bad.' },
  {
    name: 'leads',
    label: 'Contact form',
    about: 'The window asks for name and address before the first question.',
  },
  {
    name: 'fullFileUpload',
    label: 'Files with a question',
    about: 'A question may bring files; their text goes to the model with it and is not stored in the flow.',
  },
] as const

/** What a chat window reads of the flow. */
export function ChatSection() {
  const { configuration, flow } = useOpenFlow()
  const { chatbotConfig: config, isPublic, apikeyid } = useStore(configuration, ({ now }) => now)
  const change = (name: string, value: Json) =>
    configuration.getState().change({ chatbotConfig: { ...config, [name]: value } })
  return (
    <div className={forms.form}>
      <SwitchInput
        id="chat-page"
        input={{
          name: 'isPublic',
          label: 'Chat page',
          type: 'boolean',
          optional: true,
          description:
            apikeyid === null
              ? `Everybody who can reach this server can talk to the flow at ${location.origin}/chatbot/${flow.slug}.`
              : 'A page for visitors. While the flow needs a key, only managers can open it.',
        }}
        value={isPublic}
        onChange={(value) => configuration.getState().change({ isPublic: value === true })}
      />
      {TEXTS.map(({ name, label, about }) => (
        <TextInput
          key={name}
          id={`chat-${name}`}
          input={{ name, label, type: 'string', optional: true, description: about }}
          value={config[name] ?? ''}
          onChange={(value) => change(name, value)}
        />
      ))}
      <LinesInput
        id="chat-starterPrompts"
        label="Starter prompts"
        about="Questions to begin with, one a line."
        placeholder="What can you help me with?"
        value={promptsOf(config.starterPrompts)}
        onChange={(prompts) => change('starterPrompts', withPrompts(prompts))}
      />
      {SWITCHES.map(({ name, label, about }) => (
        <SwitchInput
          key={name}
          id={`chat-${name}`}
          input={{ name, label, type: 'boolean', optional: true, description: about }}
          value={memberOf(config, name).status === true}
          onChange={(value) => change(name, { ...memberOf(config, name), status: value === true })}
        />
      ))}
    </div>
  )
}

function memberOf(config: JsonObject, name: string): JsonObject {
  const value = config[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
