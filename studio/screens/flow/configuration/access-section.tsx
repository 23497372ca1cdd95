import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { describedBy, FormField } from '../../../forms/form-field.tsx'
import forms from '../../../forms/forms.module.css'
import { KeyForm, NewKeyDialog } from '../../../forms/key-form.tsx'
import { Button } from '../../../parts/button.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Note } from '../../../parts/note.tsx'
import { NO_KEY_YET } from '../../../server/flows.ts'
import { KEY_SCOPES, listKeys, type NewKey } from '../../../server/keys.ts'
import { useOpenFlow } from '../open-flow.ts'
import styles from './configuration.module.css'

/** The key that callers of the flow need. */
export function AccessSection() {
  const { flow, saving, configuration } = useOpenFlow()
  const keyId = useStore(configuration, ({ now }) => now.apikeyid)
  const storedId = useStore(configuration, ({ stored }) => stored.apikeyid)
  const { change } = configuration.getState()
  const { data: keys, error, refetch } = useQuery({ queryKey: ['keys'], queryFn: listKeys })
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const chosen = keys?.find(({ id }) => id === keyId)
  const isClosed = keyId === NO_KEY_YET
  const isGone = keyId !== null && !isClosed && keys !== undefined && !chosen
  const others = keys?.filter(({ id, flows }) => id !== keyId && flows.includes(flow.id)) ?? []
  const problem = isGone
    ? 'This key was deleted: nobody but managers can call the flow'
    : isClosed
      ? 'The flow needs a key and has none yet: nobody but managers can call it'
      : undefined
  return (
    <div className={forms.form}>
      <LoadFailure error={error} onAgain={refetch} />
      <FormField id="flow-key" label="Required key" problem={problem}>
        <div className={forms.row}>
          <select
            id="flow-key"
            className={forms.control}
            value={keyId ?? ''}
            onChange={(event) => change({ apikeyid: event.target.value || null })}
            {...describedBy('flow-key', undefined, problem)}
          >
            <option value="">None: open to all who can reach the server</option>
            {keyId !== null && !chosen ? (
              <option value={keyId}>
                {isClosed
                  ? 'Closed until you choose a key'
                  : isGone
                    ? 'A deleted key'
                    : error
                      ? 'A key that cannot be shown'
                      : 'Loading…'}
              </option>
            ) : null}
            {keys?.map((key) => (
              <option key={key.id} value={key.id}>
                {key.keyName} ({key.scopes.join(', ')})
              </option>
            ))}
          </select>
          <Button onClick={() => setMaking(true)}>
            <Plus aria-hidden="true" />
            New key
          </Button>
        </div>
      </FormField>
      {chosen ? (
        <ul className={styles.facts}>
          {KEY_SCOPES.filter(({ name }) => name !== 'manage').map(({ name, about }) => {
            const may = chosen.scopes.includes(name) || chosen.scopes.includes('manage')
            return (
              <li key={name} data-off={!may}>
                {may ? 'May' : 'May not'} {about}
              </li>
            )
          })}
        </ul>
      ) : null}
      {others.length > 0 ? (
        <p className={styles.about}>
          These keys open it too, where it requires a key: {others.map(({ keyName }) => keyName).join(', ')}.
        </p>
      ) : null}
      <p className={styles.about}>
        Scopes, expiry and last use are in <Link to="/keys">Keys</Link>.
      </p>
      {keyId === null && storedId !== null ? (
        <Note kind="warning">Once the flow is saved, it is open to all who can reach the server.</Note>
      ) : null}
      {making ? (
        <KeyForm
          forFlow={{ id: flow.id, name: saving.name }}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMade(key)
            change({ apikeyid: key.id })
          }}
        />
      ) : null}
      {made ? <NewKeyDialog made={made} onClose={() => setMade(undefined)} /> : null}
    </div>
  )
}
