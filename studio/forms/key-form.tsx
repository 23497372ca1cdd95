import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { LoadState } from '../parts/load-state.tsx'
import { Note } from '../parts/note.tsx'
import { useFirstRows } from '../parts/show-more.tsx'
import { numberText } from '../parts/units.ts'
import { useOpenedRow } from '../parts/use-opened-row.ts'
import { messageOf } from '../server/call.ts'
import { listFlows } from '../server/flows.ts'
import {
  changeKey,
  createKey,
  KEY_SCOPES,
  type Key,
  type KeyChange,
  listKeys,
  type NewKey,
} from '../server/keys.ts'
import { FormField } from './form-field.tsx'
import styles from './forms.module.css'
import { EXPIRIES, expiryAt } from './key-expiry.ts'
import { pinsOf, pinsText } from './key-pins.ts'
import { QUOTA_FIELDS, quotasOf, typedQuotas } from './key-quotas.ts'

type KeyFormProps = {
  /** The key to change; absent for a new one. */
  row?: Key
  /** A new key opens this flow. */
  forFlow?: { id: string; name: string }
  onClose(): void
  /** Called with a new key, which no later answer has. */
  onMade?(key: NewKey): void
}

/** Makes or changes an API key. */
export function KeyForm({ row, forFlow, onClose, onMade }: KeyFormProps) {
  const id = useId()
  const queries = useQueryClient()
  const all = useQuery({ queryKey: ['flows'], queryFn: listFlows })
  const flows = all.data ?? []
  const [name, setName] = useState(row?.keyName ?? forFlow?.name ?? '')
  const [scopes, setScopes] = useState<readonly string[]>(row?.scopes ?? ['upsert', 'query', 'predict'])
  const [opens, setOpens] = useState<readonly string[]>(row?.flows ?? (forFlow ? [forFlow.id] : []))
  const [pins, setPins] = useState('')
  const [quotas, setQuotas] = useState(() => typedQuotas(row?.quotas))
  const [expiry, setExpiry] = useState(row ? 'keep' : 'never')
  const [search, setSearch] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const newest = useOpenedRow(row, {
    read: async ({ id: opened, keyName }) => {
      const now = (await listKeys()).find((key) => key.id === opened)
      if (!now) throw new Error(`The key ${keyName} was deleted meanwhile`)
      return now
    },
    shown: (one) => [one.keyName, one.scopes, one.flows, one.quotas, one.expiresAt],
  })
  const found = flows.filter(
    (flow) => opens.includes(flow.id) || flow.name.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const { shown, more } = useFirstRows(found)
  const manages = scopes.includes('manage')
  const hasPins = row ? Object.keys(row.pins ?? {}).length > 0 : pins.trim() !== ''

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setBusy(true)
    const change: KeyChange = {
      keyName: name.trim(),
      scopes: KEY_SCOPES.map((scope) => scope.name).filter((scope) => scopes.includes(scope)),
      flows: [...opens],
      expiresAt: expiry === 'keep' ? (row?.expiresAt ?? null) : expiryAt(expiry, Date.now()),
    }
    try {
      if (!row && !manages && pins.trim() !== '') change.pins = pinsOf(pins)
      if (!manages) change.quotas = quotasOf(hasPins ? quotas : { ...quotas, chunks: '' })
      await newest()
      if (row) await changeKey(row.id, expiry === 'keep' ? withoutExpiry(change) : change)
      else onMade?.(await createKey(change))
      await queries.invalidateQueries({ queryKey: ['keys'] })
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
      title={row ? `Change ${row.keyName}` : 'New key'}
      about={row ? 'The key itself stays the same.' : 'The key is shown once, after it is made.'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main"
            type="submit"
            form={`${id}-form`}
            disabled={busy || name.trim() === '' || scopes.length === 0}
          >
            {row ? 'Save key' : 'Make key'}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={styles.form} onSubmit={(event) => void submit(event)}>
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        <FormField id={`${id}-name`} label="Name">
          <input
            id={`${id}-name`}
            className={styles.control}
            value={name}
            maxLength={200}
            placeholder="website"
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        <fieldset className={styles.ticks}>
          <legend className={styles.label}>It may</legend>
          {KEY_SCOPES.map((scope) => (
            <label key={scope.name} className={styles.tick}>
              <input
                type="checkbox"
                checked={scopes.includes(scope.name)}
                onChange={(event) => setScopes(toggled(scopes, scope.name, event.target.checked))}
              />
              <span>
                <strong>{scope.name}</strong> <span className={styles.about}>{scope.about}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {manages ? (
          <p className={styles.about}>A key with manage opens every flow.</p>
        ) : (
          <fieldset className={styles.ticks}>
            <legend className={styles.label}>Flows that it opens</legend>
            <LoadState of={all} what="The flows cannot be listed; those that it opens stay" />
            {flows.length > 6 ? (
              <input
                type="search"
                className={styles.control}
                aria-label="Search flows"
                placeholder="Search"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
            ) : null}
            <div className={styles.tickList}>
              {shown.map((flow) => (
                <label key={flow.id} className={styles.tick}>
                  <input
                    type="checkbox"
                    checked={opens.includes(flow.id)}
                    onChange={(event) => setOpens(toggled(opens, flow.id, event.target.checked))}
                  />
                  <span>{flow.name}</span>
                </label>
              ))}
              {more}
            </div>
            <p className={styles.about}>
              Besides those that require it, which is chosen in the configuration of the flow.
            </p>
          </fieldset>
        )}
        {row || manages ? null : (
          <FormField
            id={`${id}-pins`}
            label="Pins"
            about="Metadata of every document that the key loads. The key sees only documents with these."
          >
            <input
              id={`${id}-pins`}
              className={styles.control}
              value={pins}
              placeholder="tenant=acme, region=eu"
              aria-describedby={`${id}-pins-about`}
              onChange={(event) => setPins(event.target.value)}
            />
          </FormField>
        )}
        {row && Object.keys(row.pins ?? {}).length > 0 ? (
          <p className={styles.about}>Pins, which never change: {pinsText(row.pins ?? {})}</p>
        ) : null}
        {manages ? null : (
          <fieldset className={styles.ticks}>
            <legend className={styles.label}>Limits</legend>
            {QUOTA_FIELDS.filter(({ name: quota }) => quota !== 'chunks' || hasPins).map(
              ({ name: quota, label, unit }) => (
                <FormField
                  key={quota}
                  id={`${id}-${quota}`}
                  label={label}
                  about={usedText(row?.used?.[quota], unit)}
                >
                  <input
                    id={`${id}-${quota}`}
                    className={styles.control}
                    inputMode="decimal"
                    placeholder="no limit"
                    value={quotas[quota]}
                    onChange={(event) => setQuotas({ ...quotas, [quota]: event.target.value })}
                  />
                </FormField>
              ),
            )}
          </fieldset>
        )}
        <FormField id={`${id}-expiry`} label="Expires">
          <select
            id={`${id}-expiry`}
            className={styles.control}
            value={expiry}
            onChange={(event) => setExpiry(event.target.value)}
          >
            {row ? (
              <option value="keep">
                {row.expiresAt ? `As it is: ${row.expiresAt.slice(0, 10)}` : 'As it is: never'}
              </option>
            ) : null}
            {EXPIRIES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </FormField>
      </form>
    </Dialog>
  )
}

const usedText = (used: number | undefined, unit: number): string | undefined =>
  used === undefined ? undefined : `${numberText(Math.round(used / unit))} used`

const toggled = (list: readonly string[], one: string, on: boolean): string[] =>
  on ? [...list, one] : list.filter((other) => other !== one)

/** A time that has passed would be refused, also where it is not changed. */
const withoutExpiry = ({ expiresAt: _, ...change }: KeyChange): Partial<KeyChange> => change

/** Shows a new key: this is the only time. */
export function NewKeyDialog({ made, onClose }: { made: NewKey; onClose(): void }) {
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title={`The key ${made.keyName}`}
      about="Copy it now: the server keeps only a hash and cannot show it again."
      actions={
        <>
          <CopyButton text={made.apiKey} label="Copy key" />
          <Button look="main" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <FormField id={id} label="Key">
        <input
          id={id}
          className={`${styles.control} ${styles.key}`}
          readOnly
          value={made.apiKey}
          onFocus={(event) => event.target.select()}
        />
      </FormField>
    </Dialog>
  )
}
