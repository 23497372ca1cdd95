import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Note } from '../parts/note.tsx'
import { messageOf } from '../server/call.ts'
import {
  type Credential,
  type CredentialKind,
  createCredential,
  listCredentialKinds,
  listCredentials,
} from '../server/credentials.ts'
import { describedBy, FormField } from './form-field.tsx'
import styles from './forms.module.css'
import type { InputProps } from './input-props.ts'
import { PasswordInput, TextInput, textFor } from './text-input.tsx'
import { LoadFailure } from '../parts/load-failure.tsx'

/** One of the stored credentials that fit, or a new one. */
export function CredentialInput({ id, input, value, onChange, refusal }: InputProps) {
  const kinds = (input.options ?? []).map(({ name }) => name)
  const [making, setMaking] = useState(false)
  const { data: all = [], error } = useQuery({ queryKey: ['credentials'], queryFn: listCredentials })
  const fitting = all.filter(({ credentialName }) => kinds.length === 0 || kinds.includes(credentialName))
  const chosen = textFor(value)
  const lost = chosen !== '' && !fitting.some((one) => one.id === chosen)
  const problem =
    refusal?.message ??
    (error ? messageOf(error) : lost && all.length > 0 ? 'This credential is gone' : undefined)
  return (
    <FormField id={id} label={input.label} about={input.description} problem={problem}>
      <div className={styles.row}>
        <select
          id={id}
          className={styles.control}
          value={chosen}
          onChange={(event) => onChange(event.target.value)}
          {...describedBy(id, input.description, problem)}
        >
          <option value="">None</option>
          {lost ? <option value={chosen}>{chosen}</option> : null}
          {fitting.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
        <Button onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          New
        </Button>
      </div>
      {making ? (
        <NewCredential
          kinds={kinds}
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false)
            onChange(made.id)
          }}
        />
      ) : null}
    </FormField>
  )
}

type NewCredentialProps = { kinds: string[]; onClose(): void; onMade(credential: Credential): void }

function NewCredential({ kinds, onClose, onMade }: NewCredentialProps) {
  const id = useId()
  const queries = useQueryClient()
  const {
    data: all = [],
    error,
    refetch,
  } = useQuery({ queryKey: ['credential-kinds'], queryFn: listCredentialKinds })
  const fitting = all.filter(({ name }) => kinds.length === 0 || kinds.includes(name))
  const [chosen, setChosen] = useState<string>()
  const kind: CredentialKind | undefined = fitting.find(({ name }) => name === chosen) ?? fitting[0]
  const [name, setName] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const [refused, setRefused] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!kind) return
    const body = { name: name.trim() || kind.label, credentialName: kind.name, plainDataObj: values }
    try {
      const made = await createCredential(body)
      await queries.invalidateQueries({ queryKey: ['credentials'] })
      onMade(made)
    } catch (failure) {
      setRefused(messageOf(failure))
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New credential"
      about="It is stored encrypted on the server and never shown again."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" form={`${id}-form`} disabled={!kind}>
            Save credential
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={styles.form} onSubmit={(event) => void submit(event)}>
        <LoadFailure error={error} onAgain={refetch} />
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        {fitting.length > 1 ? (
          <FormField id={`${id}-kind`} label="Kind">
            <select
              id={`${id}-kind`}
              className={styles.control}
              value={kind?.name}
              onChange={(event) => setChosen(event.target.value)}
            >
              {fitting.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.label}
                </option>
              ))}
            </select>
          </FormField>
        ) : null}
        <FormField id={`${id}-name`} label="Name">
          <input
            id={`${id}-name`}
            className={styles.control}
            value={name}
            maxLength={200}
            placeholder={kind?.label}
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        {kind?.inputs.map((input) => {
          const Input = input.type === 'password' ? PasswordInput : TextInput
          return (
            <Input
              key={`${kind.name}-${input.name}`}
              id={`${id}-${input.name}`}
              input={input}
              value={values[input.name]}
              onChange={(value) => setValues({ ...values, [input.name]: String(value) })}
            />
          )
        })}
      </form>
    </Dialog>
  )
}
