import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import type { Json } from '../drawing/flow-file.ts'
import { Button } from '../parts/button.tsx'
import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'

/** A text of one or more lines; the box grows with it. */
export function TextInput({ id, input, value, onChange }: InputProps) {
  return (
    <FormField id={id} label={input.label} about={input.description}>
      <textarea
        id={id}
        rows={input.rows ?? 1}
        className={styles.control}
        value={textFor(value)}
        placeholder={textFor(input.default)}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        {...describedBy(id, input.description)}
      />
    </FormField>
  )
}

/** A secret that is hidden unless the person asks for it. */
export function PasswordInput({ id, input, value, onChange }: InputProps) {
  const [shown, setShown] = useState(false)
  return (
    <FormField id={id} label={input.label} about={input.description}>
      <div className={styles.row}>
        <input
          id={id}
          type={shown ? 'text' : 'password'}
          className={styles.control}
          value={textFor(value)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          {...describedBy(id, input.description)}
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
