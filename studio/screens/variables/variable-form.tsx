import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { describedBy, FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { useOpenedRow } from '../../parts/use-opened-row.ts'
import { messageOf } from '../../server/call.ts'
import { changeVariable, createVariable, getVariable, type Variable } from '../../server/variables.ts'
import { variableNameProblem } from './variable-name.ts'

/** Makes or changes a variable. */
export function VariableForm({ row, onClose }: { row?: Variable; onClose(): void }) {
  const id = useId()
  const queries = useQueryClient()
  const [name, setName] = useState(row?.name ?? '')
  const [type, setType] = useState<Variable['type']>(row?.type ?? 'static')
  const [value, setValue] = useState(row?.value ?? '')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const newest = useOpenedRow(row, {
    read: ({ id: opened }) => getVariable(opened),
    shown: (one) => [one.name, one.type, one.value],
  })
  const problem = variableNameProblem(name)
  const isRenamed = row && row.name !== name && (row.usedBy?.length ?? 0) > 0

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const body = { name, type, value: type === 'static' ? value : '' }
    try {
      await newest()
      await (row ? changeVariable(row.id, body) : createVariable(body))
      await queries.invalidateQueries({ queryKey: ['variables'] })
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
      title={row ? `Change ${row.name}` : 'New variable'}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main"
            type="submit"
            form={`${id}-form`}
            disabled={busy || name === '' || problem !== undefined}
          >
            Save variable
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={forms.form} onSubmit={(event) => void submit(event)}>
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        {isRenamed ? (
          <Note kind="warning">Flows use the name {row.name}. Their texts are not changed with it.</Note>
        ) : null}
        <FormField id={`${id}-name`} label="Name" problem={problem}>
          <input
            id={`${id}-name`}
            className={forms.control}
            value={name}
            maxLength={200}
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
            {...describedBy(`${id}-name`, undefined, problem)}
          />
        </FormField>
        <FormField
          id={`${id}-type`}
          label="Value comes from"
          about={
            type === 'static'
              ? 'Managers can read it. Use a credential for a secret of a provider.'
              : `The server reads SLUICE_VAR_${name || 'name'} from its environment each time; the value is stored nowhere.`
          }
        >
          <select
            id={`${id}-type`}
            className={forms.control}
            value={type}
            onChange={(event) => setType(event.target.value as Variable['type'])}
          >
            <option value="static">Here (static)</option>
            <option value="runtime">The environment of the server (runtime)</option>
          </select>
        </FormField>
        {type === 'static' ? (
          <FormField id={`${id}-value`} label="Value">
            <textarea
              id={`${id}-value`}
              className={forms.control}
              rows={2}
              value={value}
              spellCheck={false}
              onChange={(event) => setValue(event.target.value)}
            />
          </FormField>
        ) : null}
      </form>
    </Dialog>
  )
}
