import { useStore } from 'zustand'
import forms from '../../../forms/forms.module.css'
import { NumberInput } from '../../../forms/number-input.tsx'
import { SwitchInput } from '../../../forms/switch-input.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { Note } from '../../../parts/note.tsx'
import { useOpenFlow } from '../open-flow.ts'
import { type RateLimit, rateLimitOf, rateLimitProblem, withRateLimit } from './rate-limit.ts'

/** How many requests a caller may send. */
export function RateLimitSection() {
  const { configuration } = useOpenFlow()
  const apiConfig = useStore(configuration, ({ now }) => now.apiConfig)
  const limit = rateLimitOf(apiConfig)
  const problem = rateLimitProblem(limit)
  const change = (part: Partial<RateLimit>) =>
    configuration.getState().change({ apiConfig: withRateLimit(apiConfig, part) })
  const number = (name: string, label: string, more: { unit?: string } = {}) => ({
    ...{ name, label, type: 'number', optional: true, min: 1, whole: true },
    ...more,
  })
  return (
    <div className={forms.form}>
      <SwitchInput
        id="rate-limit-on"
        input={{ name: 'status', label: 'Limit requests', type: 'boolean', optional: true }}
        value={limit.isOn}
        onChange={(value) => change({ isOn: value === true })}
      />
      {limit.isOn ? (
        <>
          {problem === undefined ? null : <Note kind="warning">{problem}</Note>}
          <NumberInput
            id="rate-limit-requests"
            input={number('limitMax', 'Requests')}
            value={limit.requests}
            onChange={(requests) => change({ requests })}
          />
          <NumberInput
            id="rate-limit-seconds"
            input={number('limitDuration', 'In a time of', { unit: 'seconds' })}
            value={limit.seconds}
            onChange={(seconds) => change({ seconds })}
          />
          <TextInput
            id="rate-limit-message"
            input={{
              name: 'limitMsg',
              label: 'Message of the refusal (status 429)',
              type: 'string',
              optional: true,
              default: 'Too many requests',
            }}
            value={limit.message}
            onChange={(message) => change({ message: String(message) })}
          />
        </>
      ) : null}
    </div>
  )
}
