import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FilePlus2, LayoutTemplate, Workflow } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { Note } from '../../parts/note.tsx'
import { complain } from '../../parts/toast.tsx'
import { messageOf } from '../../server/call.ts'
import {
  changeSettings,
  createFlow,
  type FlowTemplate,
  listTemplates,
  type NewFlow as NewFlowBody,
} from '../../server/flows.ts'
import styles from './new-flow.module.css'

const EMPTY = JSON.stringify({ nodes: [], edges: [], viewport: { x: 0, y: 0, zoom: 1 } })

/** What a flow can begin as: an empty canvas or a template. */
type Beginning = {
  key: string
  title: string
  about: string
  icon: typeof Workflow
  body: (name: string) => NewFlowBody
  /** Settings that the new flow needs a value for. */
  questions: FlowTemplate['questions']
}

const BLANK: Beginning[] = [
  {
    key: 'chatflow',
    title: 'Empty chat flow',
    about: 'Load documents, answer questions about them.',
    icon: FilePlus2,
    body: (name) => ({ name, flowData: EMPTY, type: 'CHATFLOW' }),
    questions: [],
  },
  {
    key: 'agentflow',
    title: 'Empty agent flow',
    about: 'Steps that run one after another.',
    icon: Workflow,
    body: (name) => ({ name, flowData: EMPTY, type: 'AGENTFLOW' }),
    questions: [],
  },
]

const ofTemplate = (template: FlowTemplate): Beginning => ({
  key: `template ${template.name}`,
  title: template.title,
  about: template.about,
  icon: LayoutTemplate,
  body: (name) => ({ name, template: template.name }),
  questions: template.questions,
})

export function NewFlow({ onClose }: { onClose(): void }) {
  const id = useId()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const nameBox = useRef<HTMLInputElement>(null)
  const listed = useQuery({ queryKey: ['flow-templates'], queryFn: listTemplates })
  const { data: templates = [], isPending } = listed
  const [name, setName] = useState('')
  const [key, setKey] = useState<string>()
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const [first, ...others] = templates.map(ofTemplate)
  // The first template is what most people want, and chosen until another one is.
  const beginnings: Beginning[] = [...(first ? [first] : []), ...BLANK, ...others]
  const chosen = beginnings.find((one) => one.key === key) ?? beginnings[0]!
  const create = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    try {
      const flow = await createFlow(chosen.body(name.trim() || chosen.title))
      const given = chosen.questions.flatMap(({ key: asked }) => {
        const answer = answers[asked]?.trim()
        return answer ? [[asked, answer] as const] : []
      })
      if (given.length > 0)
        await changeSettings(flow.id, Object.fromEntries(given)).catch((error: unknown) =>
          complain(`${flow.name} was made, but not all of its settings were kept`, messageOf(error)),
        )
      void queries.invalidateQueries({ queryKey: ['flows'] })
      await navigate({ to: '/flows/$id', params: { id: flow.slug } })
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="New flow"
      size="large"
      focus={nameBox}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" form={`${id}-form`} disabled={isPending || busy}>
            Create
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={forms.form} onSubmit={(event) => void create(event)}>
        {refused === undefined ? null : <Note kind="failure">{refused}</Note>}
        <FormField id={`${id}-name`} label="Name">
          <input
            ref={nameBox}
            id={`${id}-name`}
            className={forms.control}
            value={name}
            maxLength={200}
            placeholder={chosen.title}
            onChange={(event) => setName(event.target.value)}
          />
        </FormField>
        {chosen.questions.map(({ key: asked, label }) => (
          <FormField key={asked} id={`${id}-${asked}`} label={label}>
            <input
              id={`${id}-${asked}`}
              className={forms.control}
              value={answers[asked] ?? ''}
              placeholder="https://"
              onChange={(event) => setAnswers({ ...answers, [asked]: event.target.value })}
            />
          </FormField>
        ))}
        <fieldset className={styles.choices}>
          <legend className={forms.label}>Begin with</legend>
          <LoadState of={listed} what="The templates cannot be listed" />
          {/* Not before all are known: one that comes later would move the others away from under the pointer. */}
          {(isPending ? [] : beginnings).map(({ key: one, title, about, icon: Icon }) => (
            <label key={one} className={styles.choice}>
              <input
                type="radio"
                name="beginning"
                checked={one === chosen.key}
                onChange={() => setKey(one)}
              />
              <Icon aria-hidden="true" />
              <span>
                <span className={styles.title}>{title}</span>
                <span className={styles.about}>{about}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  )
}
