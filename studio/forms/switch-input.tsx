import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'

/** Yes or no. Flow files hold true, false, their texts, or nothing for the default. */
export function SwitchInput({ id, input, value, onChange, refusal }: InputProps) {
  const given = value === undefined || value === null || value === '' ? input.default : value
  const on = given === true || String(given).toLowerCase() === 'true'
  return (
    <FormField id={id} label={input.label} about={input.description} problem={refusal?.message} inline>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={on}
        aria-checked={on}
        onChange={(event) => onChange(event.target.checked)}
        {...describedBy(id, input.description, refusal?.message)}
      />
    </FormField>
  )
}
