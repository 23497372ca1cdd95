import { Send } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import styles from './start-form.module.css'
import type { StartForm } from './starter-prompts.ts'

type StartFormProps = {
  form: StartForm
  /** `question` is the form as text, for the conversation. */
  onStart(filled: { question: string; form: Record<string, unknown> }): void
}

/** The form that an agent flow begins with, in place of a question. */
export function StartFormView({ form, onStart }: StartFormProps) {
  const [values, setValues] = useState<Record<string, unknown>>({})
  const set = (name: string, value: unknown) => setValues({ ...values, [name]: value })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const all = Object.fromEntries(
          form.inputs.map(({ name, type }) => [name, type === 'boolean' ? false : '']),
        )
        onStart({ question: JSON.stringify({ ...all, ...values }), form: { ...all, ...values } })
      }}
    >
      {form.title === '' ? null : <h2>{form.title}</h2>}
      {form.description === '' ? null : <p className={styles.note}>{form.description}</p>}
      {form.inputs.map(({ name, label, type, options }) => (
        <label key={name} className={styles.field} htmlFor={`form-${name}`}>
          {label}
          {type === 'boolean' ? (
            <input
              id={`form-${name}`}
              type="checkbox"
              checked={values[name] === true}
              onChange={(event) => set(name, event.target.checked)}
            />
          ) : type === 'options' ? (
            <select
              id={`form-${name}`}
              value={String(values[name] ?? '')}
              onChange={(event) => set(name, event.target.value)}
            >
              <option value="" />
              {options.map((option) => (
                <option key={option}>{option}</option>
              ))}
            </select>
          ) : (
            <input
              id={`form-${name}`}
              type={type === 'number' ? 'number' : 'text'}
              value={String(values[name] ?? '')}
              onChange={(event) =>
                set(
                  name,
                  type === 'number' && event.target.value !== ''
                    ? event.target.valueAsNumber
                    : event.target.value,
                )
              }
            />
          )}
        </label>
      ))}
      <div className={styles.row}>
        <span className={styles.gap} />
        <Button look="main" type="submit">
          <Send aria-hidden="true" /> Start
        </Button>
      </div>
    </form>
  )
}
