import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { isDirty } from '../../../drawing/history.ts'
import forms from '../../../forms/forms.module.css'
import { Button } from '../../../parts/button.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Note } from '../../../parts/note.tsx'
import { messageOf } from '../../../server/call.ts'
import { startComparison } from '../../../server/compare.ts'
import { listRevisions, type Revision } from '../../../server/revisions.ts'
import { useEditor, useEditorState } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import styles from './compare.module.css'
import { type ChangeableInput, changeableInputs, requestOf, type VariantDraft } from './variant-draft.ts'

/** The most variants beside the baseline. */
const MOST = 7

/** Chooses the baseline and up to seven variants, and starts the comparison. */
export function VariantForm({ onStarted }: { onStarted(job: string): void }) {
  const { flow, saving } = useOpenFlow()
  const editor = useEditor()
  const graph = useEditorState((state) => state.graph)
  const hasDraft = saving.draft.state.draft !== null
  // A draft is not live, as what is not saved.
  const dirty = useEditorState((state) => isDirty(state.history)) || hasDraft
  const inputs = useMemo(() => changeableInputs(graph.nodes), [graph])
  const listed = useQuery({ queryKey: ['revisions', flow.id], queryFn: () => listRevisions(flow.id) })
  const revisions = listed.data ?? []
  const [baseline, setBaseline] = useState<VariantDraft>({ kind: 'live' })
  const [chosen, setChosen] = useState<VariantDraft[]>()
  const variants = chosen ?? [firstDraft(dirty, inputs)]
  const [looks, setLooks] = useState<1 | 3>(1)
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)

  const change = (at: number, draft: VariantDraft) => setChosen(variants.with(at, draft))
  const start = async () => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const drawing = JSON.stringify(editor.getState().history.file)
      const request = { variants: requestOf([baseline, ...variants], inputs, drawing), looks }
      onStarted(await startComparison(flow.id, request))
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  const shared = { revisions, inputs, dirty }
  return (
    <form
      className={styles.form}
      aria-label="Variants"
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <VariantRow name="Baseline" draft={baseline} onChange={setBaseline} {...shared} withInputs={false} />
      {variants.map((draft, at) => (
        <VariantRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place
          key={at}
          name={variants.length === 1 ? 'Compare with' : `Variant ${at + 1}`}
          draft={draft}
          onChange={(next) => change(at, next)}
          {...(variants.length > 1 ? { onRemove: () => setChosen(variants.toSpliced(at, 1)) } : {})}
          {...shared}
          withInputs
        />
      ))}
      <div className={styles.actions}>
        <Button
          look="quiet"
          disabled={variants.length >= MOST}
          onClick={() => setChosen([...variants, firstDraft(false, inputs)])}
        >
          <Plus aria-hidden="true" />
          Add a variant
        </Button>
        <label className={styles.looks}>
          Look
          <select
            value={looks}
            className={forms.control}
            onChange={(event) => setLooks(event.target.value === '3' ? 3 : 1)}
          >
            <option value={1}>once, at the end</option>
            <option value={3}>three times, and end early where all is told</option>
          </select>
        </label>
        <Button look="main" type="submit" disabled={busy}>
          {busy ? 'Starting…' : 'Compare'}
        </Button>
      </div>
      {refusal === undefined ? null : <Note kind="failure">{refusal}</Note>}
      <LoadFailure error={listed.error} onAgain={listed.refetch} what="The revisions cannot be listed" />
    </form>
  )
}

function firstDraft(dirty: boolean, inputs: readonly ChangeableInput[]): VariantDraft {
  if (dirty) return { kind: 'unsaved' }
  const [first] = inputs
  return first
    ? { kind: 'input', node: first.node, input: first.input, value: first.value }
    : { kind: 'live' }
}

type VariantRowProps = {
  name: string
  draft: VariantDraft
  onChange(draft: VariantDraft): void
  onRemove?: () => void
  revisions: readonly Revision[]
  inputs: readonly ChangeableInput[]
  dirty: boolean
  withInputs: boolean
}

function VariantRow({ name, draft, onChange, onRemove, ...shared }: VariantRowProps) {
  const { revisions, inputs, dirty, withInputs } = shared
  const chosen = draft.kind === 'revision' ? `revision ${draft.revision}` : draft.kind
  const choose = (value: string) => {
    if (value.startsWith('revision ')) onChange({ kind: 'revision', revision: Number(value.slice(9)) })
    else if (value === 'unsaved' || value === 'live') onChange({ kind: value })
    else {
      const [first] = inputs
      if (first) onChange({ kind: 'input', node: first.node, input: first.input, value: first.value })
    }
  }
  return (
    <fieldset className={styles.variant}>
      <legend>{name}</legend>
      <select
        aria-label={`${name}: what it is`}
        value={chosen}
        className={forms.control}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="live">Now live</option>
        {dirty ? <option value="unsaved">This drawing, not live</option> : null}
        {withInputs && inputs.length > 0 ? <option value="input">Now live, with another value</option> : null}
        {revisions.slice(1).map(({ number }) => (
          <option key={number} value={`revision ${number}`}>
            Revision {number}
          </option>
        ))}
      </select>
      {draft.kind === 'input' ? (
        <InputChoice name={name} draft={draft} inputs={inputs} onChange={onChange} />
      ) : null}
      {onRemove ? (
        <Button square look="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden="true" />
        </Button>
      ) : null}
    </fieldset>
  )
}

type InputChoiceProps = {
  name: string
  draft: Extract<VariantDraft, { kind: 'input' }>
  inputs: readonly ChangeableInput[]
  onChange(draft: VariantDraft): void
}

function InputChoice({ name, draft, inputs, onChange }: InputChoiceProps) {
  const key = (one: Pick<ChangeableInput, 'node' | 'input'>) => `${one.node}.${one.input}`
  const input = inputs.find((one) => key(one) === key(draft))
  const props = {
    'aria-label': `${name}: value`,
    className: forms.control,
    value: draft.value,
    onChange: (event: { target: { value: string } }) => onChange({ ...draft, value: event.target.value }),
  }
  return (
    <>
      <select
        aria-label={`${name}: input`}
        className={forms.control}
        value={key(draft)}
        onChange={(event) => {
          const next = inputs.find((one) => key(one) === event.target.value)
          if (next) onChange({ kind: 'input', node: next.node, input: next.input, value: next.value })
        }}
      >
        {inputs.map((one) => (
          <option key={key(one)} value={key(one)}>
            {one.label}
          </option>
        ))}
      </select>
      {input && input.options.length > 0 ? (
        <select {...props}>
          {input.options.includes(draft.value) ? null : (
            <option value={draft.value}>{draft.value || '–'}</option>
          )}
          {input.options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input {...props} />
      )}
    </>
  )
}
