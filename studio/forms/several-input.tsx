import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { countText } from '../parts/units.ts'
import type { NodeChoice } from '../server/nodes.ts'
import { FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { useChoices } from './choices.ts'
import { namesIn, valueOfNames } from './several-names.ts'

/** How many choices are shown at once; the search finds the others. */
const SHOWN = 100

/** Any number of the choices that the server finds, such as the operations of an API. */
export function SeveralInput(props: InputProps) {
  const { id, input, value, onChange, refusal } = props
  const [search, setSearch] = useState('')
  const { choices, failure, isFetching, ask, askAgain } = useChoices(props)
  const chosen = namesIn(value)
  const listed = withChosen(choices ?? [], chosen)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = listed.filter(({ name, label, description = '' }) => {
    const text = `${name} ${label} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const toggle = (name: string) =>
    onChange(valueOfNames(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]))
  const problem = refusal?.message ?? failure
  return (
    <FormField
      id={id}
      label={input.label}
      about={input.description}
      problem={problem}
      beside={
        <Button
          look="quiet"
          disabled={isFetching}
          aria-label={`Load the choices of ${input.label}`}
          onClick={askAgain}
        >
          <RefreshCw aria-hidden="true" />
          {isFetching ? 'Loading…' : choices ? 'Load again' : 'Load'}
        </Button>
      }
    >
      <input
        id={id}
        type="search"
        className={styles.control}
        value={search}
        placeholder={chosen.length === 0 ? 'All; search to choose some' : `${chosen.length} chosen`}
        onFocus={ask}
        onChange={(event) => setSearch(event.target.value)}
      />
      {listed.length === 0 ? null : (
        <ul className={styles.checks} aria-label={input.label}>
          {found.slice(0, SHOWN).map((choice) => (
            <CheckedChoice
              key={choice.name}
              id={`${id}-${choice.name}`}
              choice={choice}
              isChosen={chosen.includes(choice.name)}
              onToggle={() => toggle(choice.name)}
            />
          ))}
          {found.length > SHOWN ? (
            <li className={styles.about}>
              and {countText(found.length - SHOWN, 'choice')} more: search for them
            </li>
          ) : null}
          {found.length === 0 ? <li className={styles.about}>Nothing has “{search.trim()}” in it</li> : null}
        </ul>
      )}
      {chosen.length === 0 ? null : (
        <div className={styles.row}>
          <span className={styles.about}>{chosen.length} chosen</span>
          <Button look="quiet" onClick={() => onChange('')}>
            Choose none
          </Button>
        </div>
      )}
    </FormField>
  )
}

/** What was chosen stays in the list, also where the server does not offer it any more. */
const withChosen = (choices: readonly NodeChoice[], chosen: readonly string[]): NodeChoice[] => [
  ...chosen
    .filter((name) => !choices.some((one) => one.name === name))
    .map((name) => ({ name, label: name })),
  ...choices,
]

type CheckedChoiceProps = { id: string; choice: NodeChoice; isChosen: boolean; onToggle(): void }

function CheckedChoice({ id, choice, isChosen, onToggle }: CheckedChoiceProps) {
  const { label, name, description, refused, notes = [] } = choice
  const remark = refused ?? notes.join('; ')
  return (
    <li className={styles.check}>
      <input id={id} type="checkbox" checked={isChosen} onChange={onToggle} />
      <label htmlFor={id} title={description}>
        {label}
        {label === name ? null : <span className={styles.about}> {name}</span>}
        {remark === '' ? null : (
          <span className={refused === undefined ? styles.about : styles.problem}> {remark}</span>
        )}
      </label>
    </li>
  )
}
