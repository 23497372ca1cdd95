import { CircleCheck, CircleX, PlugZap } from 'lucide-react'
import { useId, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { messageOf } from '../../server/call.ts'
import {
  type Credential,
  type CredentialKind,
  type CredentialVerdict,
  testCredential,
} from '../../server/credentials.ts'
import { addressesOf } from './credential-addresses.ts'
import styles from './credentials.module.css'

type TestDialogProps = { row: Credential; kind: CredentialKind | undefined; onClose(): void }

/** Tests a stored credential. */
export function TestDialog({ row, kind, onClose }: TestDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Test ${row.name}`}
      about="The server calls the provider once, with a call that costs next to nothing."
      actions={<Button onClick={onClose}>Close</Button>}
    >
      {kind?.test ? (
        <TestCall
          addresses={addressesOf(row.usedBy, kind.test.address)}
          isReady
          call={(address) => testCredential(row.id, { address })}
        />
      ) : (
        <Note>No cheap call is known for this kind. Run a flow that uses it.</Note>
      )}
    </Dialog>
  )
}

type TestCallProps = {
  /** Addresses to choose from; the first is proposed. */
  addresses: readonly string[]
  /** Whether all values are there. */
  isReady: boolean
  call(address: string): Promise<CredentialVerdict>
}

/** The address to call, a button, and what the provider answered. */
export function TestCall({ addresses, isReady, call }: TestCallProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const address = typed ?? addresses[0] ?? ''
  const [isRunning, setRunning] = useState(false)
  const [verdict, setVerdict] = useState<CredentialVerdict>()
  const [failure, setFailure] = useState<string>()
  const run = async () => {
    setRunning(true)
    setVerdict(undefined)
    setFailure(undefined)
    try {
      setVerdict(await call(address.trim()))
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setRunning(false)
    }
  }
  return (
    <div className={styles.test}>
      <FormField id={`${id}-address`} label="Address to test with">
        <div className={forms.row}>
          <input
            id={`${id}-address`}
            className={forms.control}
            value={address}
            list={`${id}-addresses`}
            placeholder="https://…"
            spellCheck={false}
            onChange={(event) => setTyped(event.target.value)}
          />
          <datalist id={`${id}-addresses`}>
            {addresses.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <Button disabled={isRunning || !isReady || address.trim() === ''} onClick={() => void run()}>
            <PlugZap aria-hidden="true" />
            {isRunning ? 'Testing…' : 'Test'}
          </Button>
        </div>
      </FormField>
      {failure === undefined ? null : <Note kind="failure">{failure}</Note>}
      {verdict ? <Verdict verdict={verdict} /> : null}
    </div>
  )
}

function Verdict({ verdict: { ok, message, address, models, timeTaken } }: { verdict: CredentialVerdict }) {
  return (
    <div className={styles.verdict} data-ok={ok} role="status">
      {ok ? <CircleCheck aria-hidden="true" /> : <CircleX aria-hidden="true" />}
      <div className={styles.texts}>
        <p className={styles.message}>{message}</p>
        <p className={styles.about}>
          {address}, {timeTaken} ms
        </p>
        {models.length > 0 ? (
          <details>
            <summary>Models</summary>
            <ul className={styles.models}>
              {models.map((model) => (
                <li key={model}>{model}</li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </div>
  )
}
