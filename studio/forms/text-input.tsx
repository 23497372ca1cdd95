import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { Json } from '../drawing/flow-file.ts'
import { Button } from '../parts/button.tsx'
import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { LargeEditor } from './large-editor.tsx'
import { VariableBox } from './variable-box.tsx'

/** From how many characters a text gets the large editor. */
const LONG = 120

/** A text of one or more lines; the box grows with it. */
export function TextInput({ id, input, value, onChange, refusal }: InputProps) {
  const text = textFor(value)
  const problem = refusal?.message
  const box = {
    text,
    placeholder: textFor(input.default),
    withVariables: input.acceptVariable === true,
    onChange,
  }
  return (
    <FormField
      id={id}
      label={input.label}
      about={input.description}
      problem={problem}
      beside={
        (input.rows ?? 1) > 1 || text.length > LONG ? (
          <LargeEditor title={input.label} about={input.description}>
            <VariableBox {...box} id={`${id}-large`} label={input.label} rows={18} className={styles.large} />
          </LargeEditor>
        ) : null
      }
    >
      <VariableBox {...box} id={id} rows={input.rows ?? 1} {...describedBy(id, input.description, problem)} />
    </FormField>
  )
}

/** A secret that is hidden unless the person asks for it. */
export function PasswordInput({ id, input, value, onChange, refusal }: InputProps) {
  const [shown, setShown] = useState(false)
  const problem = refusal?.message
  return (
    <FormField id={id} label={input.label} about={input.description} problem={problem}>
      <div className={styles.row}>
        <input
          id={id}
          type={shown ? 'text' : 'password'}
          className={styles.control}
          value={textFor(value)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          {...describedBy(id, input.description, problem)}
        />
        <Button look="quiet" square aria-label={shown ? 'Hide' : 'Show'} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff /> : <Eye />}
        </Button>
      </div>
    </FormField>
  )
}

/** Flow files hold numbers and lists where a text is expected. */
export const textFor = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
