import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FilePlus2, LayoutTemplate, Workflow } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { messageOf } from '../../server/call.ts'
import { createFlow, listTemplates, type NewFlow as NewFlowBody } from '../../server/flows.ts'
import styles from './new-flow.module.css'

const EMPTY = JSON.stringify({ nodes: [], edges: [], viewport: { x: 0, y: 0, zoom: 1 } })

/** What a flow can begin as: an empty canvas or a template. */
type Beginning = {
  key: string
  title: string
  about: string
  icon: typeof Workflow
  body: (name: string) => NewFlowBody
}

const BLANK: Beginning[] = [
  {
    key: 'chatflow',
    title: 'Empty chat flow',
    about: 'Load documents, answer questions about them.',
    icon: FilePlus2,
    body: (name) => ({ name, flowData: EMPTY, type: 'CHATFLOW' }),
  },
  {
    key: 'agentflow',
    title: 'Empty agent flow',
    about: 'Steps that run one after another.',
    icon: Workflow,
    body: (name) => ({ name, flowData: EMPTY, type: 'AGENTFLOW' }),
  },
]

export function NewFlow({ onClose }: { onClose(): void }) {
  const id = useId()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const nameBox = useRef<HTMLInputElement>(null)
  const { data: templates = [] } = useQuery({ queryKey: ['flow-templates'], queryFn: listTemplates })
  const [name, setName] = useState('')
  const [key, setKey] = useState('chatflow')
  const [refused, setRefused] = useState<string>()
  const beginnings: Beginning[] = [
    ...BLANK,
    ...templates.map((template) => ({
      key: `template ${template.name}`,
      title: template.title,
      about: template.about,
      icon: LayoutTemplate,
      body: (given: string): NewFlowBody => ({ name: given, template: template.name }),
    })),
  ]
  const chosen = beginnings.find((one) => one.key === key) ?? beginnings[0]!
  const create = async (event: FormEvent) => {
    event.preventDefault()
    try {
      const flow = await createFlow(chosen.body(name.trim() || chosen.title))
      void queries.invalidateQueries({ queryKey: ['flows'] })
      await navigate({ to: '/flows/$id', params: { id: flow.slug } })
    } catch (error) {
      setRefused(messageOf(error))
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
          <Button look="main" type="submit" form={`${id}-form`}>
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
        <fieldset className={styles.choices}>
          <legend className={forms.label}>Begin with</legend>
          {beginnings.map(({ key: one, title, about, icon: Icon }) => (
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
