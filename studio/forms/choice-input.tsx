import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { textFor } from './text-input.tsx'

/** One of a list. A value that is not in the list is shown as such and kept. */
export function ChoiceInput({ id, input, value, onChange, refusal }: InputProps) {
  const options = input.options ?? []
  const chosen = textFor(value) || textFor(input.default)
  const known = options.some(({ name }) => name === chosen)
  const problem =
    refusal?.message ?? (known || chosen === '' ? undefined : `${chosen} is not one of the choices`)
  return (
    <FormField id={id} label={input.label} about={input.description} problem={problem}>
      <select
        id={id}
        className={styles.control}
        value={chosen}
        onChange={(event) => onChange(event.target.value)}
        {...describedBy(id, input.description, problem)}
      >
        {known ? null : <option value={chosen}>{chosen || 'Choose'}</option>}
        {options.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </FormField>
  )
}
