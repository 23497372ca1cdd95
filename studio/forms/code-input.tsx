import { lazy, Suspense, useRef } from 'react'
import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { jsonProblem, jsonTextOf } from './json-text.ts'
import { LargeEditor } from './large-editor.tsx'
import { loadPart } from '../server/load-part.ts'

/** Loaded when the first code or JSON is shown: it is larger than all other inputs together. */
const CodeEditor = lazy(() => loadPart(() => import('./code-editor.tsx')))

/** JSON, with the line of a mistake. */
export function JsonInput({ id, input, value, onChange, refusal }: InputProps) {
  const text = jsonTextOf(value)
  const found = input.acceptVariable && text.includes('{{') ? undefined : jsonProblem(text)
  const problem = found ? `Line ${found.line}: ${found.message}` : refusal?.message
  return (
    <CodeBox
      {...{ id, input, text, onChange, problem }}
      line={found?.line ?? refusal?.line ?? undefined}
      language="json"
      placeholder={input.type === 'array' ? '[]' : '{}'}
    />
  )
}

/** Code in the declared language; it is stored as it is typed. */
export function CodeInput({ id, input, value, onChange, refusal }: InputProps) {
  return (
    <CodeBox
      {...{ id, input, onChange }}
      text={jsonTextOf(value)}
      problem={refusal?.message}
      line={refusal?.line ?? undefined}
      language={input.language === 'json' ? 'json' : 'javascript'}
    />
  )
}

type CodeBoxProps = Pick<InputProps, 'id' | 'input' | 'onChange'> & {
  text: string
  language: 'json' | 'javascript'
  problem?: string | undefined
  /** The line that the problem is on, from 1. */
  line?: number | undefined
  placeholder?: string
}

function CodeBox({ id, input, text, onChange, language, problem, line, placeholder = '' }: CodeBoxProps) {
  const textBox = useRef({ hasFocus: false })
  const editor = {
    text,
    onChange,
    language,
    label: input.label,
    placeholder,
    mistake: problem === undefined || line === undefined ? undefined : { line, message: problem },
    problem,
  }
  return (
    <FormField
      id={id}
      label={input.label}
      about={input.description}
      problem={problem}
      beside={
        <LargeEditor title={input.label} about={input.description}>
          <Suspense fallback={<p>Loading the editor…</p>}>
            <CodeEditor {...editor} isLarge />
          </Suspense>
          {problem === undefined ? null : <p className={styles.problem}>{problem}</p>}
        </LargeEditor>
      }
    >
      <Suspense
        fallback={
          <textarea
            id={id}
            className={`${styles.control} ${styles.code}`}
            value={text}
            placeholder={placeholder}
            spellCheck={false}
            autoCapitalize="off"
            onChange={(event) => onChange(event.target.value)}
            onFocus={() => (textBox.current.hasFocus = true)}
            onBlur={() => (textBox.current.hasFocus = false)}
            {...describedBy(id, input.description, problem)}
          />
        }
      >
        <CodeEditor {...editor} id={id} textBox={textBox.current} />
      </Suspense>
    </FormField>
  )
}
