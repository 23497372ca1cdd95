import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { jsonProblem, jsonTextOf } from './json-text.ts'

/** JSON, with the line of a mistake. */
export function JsonInput({ id, input, value, onChange }: InputProps) {
  const text = jsonTextOf(value)
  const found = jsonProblem(text)
  const problem = found && `Line ${found.line}: ${found.message}`
  return (
    <CodeBox {...{ id, input, text, onChange, problem }} placeholder={input.type === 'array' ? '[]' : '{}'} />
  )
}

/** Code; no language is declared, so it is taken as it is. */
export function CodeInput({ id, input, value, onChange }: InputProps) {
  return <CodeBox {...{ id, input, onChange }} text={jsonTextOf(value)} />
}

type CodeBoxProps = Pick<InputProps, 'id' | 'input' | 'onChange'> & {
  text: string
  problem?: string | undefined
  placeholder?: string
}

function CodeBox({ id, input, text, onChange, problem, placeholder }: CodeBoxProps) {
  return (
    <FormField id={id} label={input.label} about={input.description} problem={problem}>
      <textarea
        id={id}
        className={`${styles.control} ${styles.code}`}
        value={text}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onChange(event.target.value)}
        {...describedBy(id, input.description, problem)}
      />
    </FormField>
  )
}
