import { useStore } from 'zustand'
import forms from '../../../forms/forms.module.css'
import { TextInput } from '../../../forms/text-input.tsx'
import { useOpenFlow } from '../open-flow.ts'
import { textsOf } from './line-list.ts'
import { LinesInput } from './lines-input.tsx'

/** The web sites whose pages may call the flow. */
export function OriginsSection() {
  const { configuration } = useOpenFlow()
  const chatbotConfig = useStore(configuration, ({ now }) => now.chatbotConfig)
  const change = (part: object) =>
    configuration.getState().change({ chatbotConfig: { ...chatbotConfig, ...part } })
  return (
    <div className={forms.form}>
      <LinesInput
        id="allowed-origins"
        label="Allowed origins"
        about="One a line, such as https://example.com; * allows every site. Without any, every site may ask a flow with a key; an open flow of this machine answers only pages of this machine. Upserts need a listed site."
        placeholder="https://example.com"
        value={textsOf(chatbotConfig.allowedOrigins)}
        onChange={(allowedOrigins) => change({ allowedOrigins })}
      />
      <TextInput
        id="allowed-origins-error"
        input={{
          name: 'allowedOriginsError',
          label: 'Message for other sites (status 403)',
          type: 'string',
          optional: true,
          default: 'This site is not allowed to access this chatbot',
        }}
        value={chatbotConfig.allowedOriginsError ?? ''}
        onChange={(allowedOriginsError) => change({ allowedOriginsError })}
      />
    </div>
  )
}
