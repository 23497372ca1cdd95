import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { CodeInput, JsonInput } from '../../forms/code-input.tsx'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { useOpenedRow } from '../../parts/use-opened-row.ts'
import { messageOf } from '../../server/call.ts'
import { changeTool, createTool, type CustomTool, getTool } from '../../server/custom-tools.ts'
import { rowsOfSchema, sampleInput, schemaOfRows } from './schema-rows.ts'
import { SchemaTable } from './schema-table.tsx'
import { TryTool } from './try-tool.tsx'

const CODE_INPUT = {
  name: 'func',
  label: 'Code',
  type: 'code',
  language: 'javascript',
  optional: false,
  description:
    'JavaScript. It reads $flow, $vars and its inputs as $name, may call fetch, and returns what the model gets.',
} as const
const SCHEMA_INPUT = { name: 'schema', label: 'Inputs', type: 'json', optional: false } as const

/** Makes or changes a custom tool, and tries it before it is saved. */
export function ToolForm({ row, onClose }: { row?: CustomTool; onClose(): void }) {
  const id = useId()
  const queries = useQueryClient()
  const [name, setName] = useState(row?.name ?? '')
  const [description, setDescription] = useState(row?.description ?? '')
  const [schema, setSchema] = useState(row?.schema ?? '[]')
  const [func, setFunc] = useState(row?.func ?? '')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const newest = useOpenedRow(row, {
    read: ({ id: opened }) => getTool(opened),
    shown: (one) => [one.name, one.description, one.schema, one.func],
  })
  const rows = rowsOfSchema(schema)
  /** What is stored has these problems; the texts may have changed since. */
  const problemOf = (part: 'schema' | 'func', now: string) =>
    row && row[part] === now
      ? row.problems
          .filter((problem) => problem.part === part)
          .map(({ message, instead }) => (instead === null ? message : `${message}. ${instead}`))
          .join(' ') || undefined
      : undefined
  const problems = { schema: problemOf('schema', schema), func: problemOf('func', func) }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const body = { name, description, schema, func }
    try {
      await newest()
      await (row ? changeTool(row.id, body) : createTool(body))
      await queries.invalidateQueries({ queryKey: ['tools'] })
      onClose()
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title={row ? `Change ${row.name}` : 'New tool'}
      about="A model calls it in a tool agent or an agent flow: choose it in the node Custom Tool."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" form={`${id}-form`} disabled={busy || name.trim() === ''}>
            Save tool
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={forms.form} onSubmit={(event) => void submit(event)}>
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        {row && (row.usedBy?.length ?? 0) > 0 ? (
          <Note kind="warning">Flows use it. They use what you save from their next answer on.</Note>
        ) : null}
        <FormField id={`${id}-name`} label="Name" about="The model calls it by this name.">
          <input
            id={`${id}-name`}
            className={forms.control}
            value={name}
            maxLength={200}
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        <FormField
          id={`${id}-description`}
          label="Description"
          about="Tells the model when to use it, and for what."
        >
          <textarea
            id={`${id}-description`}
            className={forms.control}
            rows={2}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </FormField>
        {rows ? (
          <SchemaTable
            id={`${id}-schema`}
            rows={rows}
            problem={problems.schema}
            onChange={(next) => setSchema(schemaOfRows(next))}
          />
        ) : (
          <JsonInput
            id={`${id}-schema`}
            input={SCHEMA_INPUT}
            value={schema}
            refusal={refusalOf('schema', problems.schema)}
            onChange={(next) => setSchema(typeof next === 'string' ? next : JSON.stringify(next))}
          />
        )}
        <CodeInput
          id={`${id}-func`}
          input={CODE_INPUT}
          value={func}
          refusal={refusalOf('func', problems.func)}
          onChange={(next) => setFunc(String(next))}
        />
      </form>
      <TryTool tool={{ name, schema, func }} sample={sampleInput(rows ?? [])} />
    </Dialog>
  )
}

/** A refusal of code names the line. */
function refusalOf(input: string, message: string | undefined) {
  if (message === undefined) return undefined
  const line = /does not parse at line (\d+)/.exec(message)?.[1]
  return { input, message, line: line === undefined ? null : Number(line) }
}
