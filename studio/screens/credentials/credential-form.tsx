import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { PasswordInput, TextInput } from '../../forms/text-input.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { Note } from '../../parts/note.tsx'
import { useOpenedRow } from '../../parts/use-opened-row.ts'
import { messageOf } from '../../server/call.ts'
import {
  changeCredential,
  type Credential,
  type CredentialKind,
  createCredential,
  getCredential,
  testCredential,
  testCredentialValues,
} from '../../server/credentials.ts'
import { addressesOf } from './credential-addresses.ts'
import { TestCall } from './credential-test.tsx'

type CredentialFormProps = {
  kinds: readonly CredentialKind[]
  /** The credential to change; absent for a new one. */
  row?: Credential
  onClose(): void
}

/** Makes or changes a credential. Stored values never come back: a field that has one is replaced or stays. */
export function CredentialForm({ kinds, row, onClose }: CredentialFormProps) {
  const id = useId()
  const queries = useQueryClient()
  const opened = useQuery({
    queryKey: ['credential', row?.id],
    queryFn: () => getCredential(row!.id),
    enabled: row !== undefined,
    gcTime: 0,
  })
  const stored = opened.data
  const newest = useOpenedRow(row, {
    read: ({ id: one }) => getCredential(one),
    shown: (one) => [one.name, one.updatedDate],
  })
  const [kindName, setKindName] = useState(row?.credentialName ?? '')
  const kind = kinds.find((one) => one.name === kindName)
  const [name, setName] = useState(row?.name ?? '')
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const isSet = (field: string) => stored?.fieldsSet?.includes(field) === true && values[field] === undefined
  const missing = kind?.inputs.find(
    (input) => !input.optional && !isSet(input.name) && !values[input.name]?.trim(),
  )
  const given = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, value.trim()]))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!kind) return
    setBusy(true)
    try {
      const title = name.trim() || kind.label
      await newest()
      if (row) await changeCredential(row.id, { name: title, plainDataObj: given })
      else await createCredential({ name: title, credentialName: kind.name, plainDataObj: given })
      await queries.invalidateQueries({ queryKey: ['credentials'] })
      onClose()
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={row ? `Change ${row.name}` : 'New credential'}
      about="It is stored encrypted on the server and never shown again."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main"
            type="submit"
            form={`${id}-form`}
            disabled={busy || !kind || missing !== undefined || (row !== undefined && !stored)}
          >
            Save credential
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={forms.form} onSubmit={(event) => void submit(event)}>
        {row ? <LoadState of={opened} what="What it has cannot be read" /> : null}
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        <FormField
          id={`${id}-kind`}
          label="Kind"
          about={kind ? `For ${kind.nodes.map(({ label }) => label).join(', ')}` : undefined}
        >
          <select
            id={`${id}-kind`}
            className={forms.control}
            value={kindName}
            disabled={row !== undefined}
            onChange={(event) => setKindName(event.target.value)}
          >
            <option value="" disabled>
              Choose
            </option>
            {kinds.map((one) => (
              <option key={one.name} value={one.name}>
                {one.label}
              </option>
            ))}
          </select>
        </FormField>
        <FormField id={`${id}-name`} label="Name">
          <input
            id={`${id}-name`}
            className={forms.control}
            value={name}
            maxLength={200}
            placeholder={kind?.label}
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        {(row && !stored ? [] : (kind?.inputs ?? [])).map((input) => (
          <ValueField
            key={`${kindName}-${input.name}`}
            id={`${id}-${input.name}`}
            input={input}
            isSet={isSet(input.name)}
            wasSet={stored?.fieldsSet?.includes(input.name) === true}
            value={values[input.name]}
            onChange={(value) =>
              setValues((before) => {
                const { [input.name]: _, ...others } = before
                return value === undefined ? others : { ...others, [input.name]: value }
              })
            }
          />
        ))}
        {kind?.test ? (
          <TestCall
            addresses={addressesOf(row?.usedBy, kind.test.address)}
            isReady={missing === undefined}
            call={(address) =>
              row
                ? testCredential(row.id, { plainDataObj: given, address })
                : testCredentialValues(kind.name, { plainDataObj: given, address })
            }
          />
        ) : null}
      </form>
    </Dialog>
  )
}

type ValueFieldProps = {
  id: string
  input: CredentialKind['inputs'][number]
  /** The stored value is kept. */
  isSet: boolean
  wasSet: boolean
  value: string | undefined
  onChange(value: string | undefined): void
}

function ValueField({ id, input, isSet, wasSet, value, onChange }: ValueFieldProps) {
  if (isSet)
    return (
      <FormField id={id} label={input.label}>
        <div className={forms.row}>
          <input
            id={id}
            className={forms.control}
            value="••••••••"
            readOnly
            aria-label={`${input.label}: is set`}
          />
          <Button aria-label={`Replace ${input.label}`} onClick={() => onChange('')}>
            Replace
          </Button>
        </div>
      </FormField>
    )
  const Input = input.type === 'password' ? PasswordInput : TextInput
  return (
    <>
      <Input id={id} input={input} value={value} onChange={(next) => onChange(String(next))} />
      {wasSet ? (
        <div>
          <Button look="quiet" onClick={() => onChange(undefined)}>
            Keep the stored {input.label}
          </Button>
        </div>
      ) : null}
    </>
  )
}
