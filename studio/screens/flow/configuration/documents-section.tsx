import { useStore } from 'zustand'
import { setInputs } from '../../../drawing/commands.ts'
import { FormField } from '../../../forms/form-field.tsx'
import forms from '../../../forms/forms.module.css'
import { SwitchInput } from '../../../forms/switch-input.tsx'
import { useEditor, useEditorState } from '../editor.ts'
import { useOpenFlow } from '../open-flow.ts'
import styles from './configuration.module.css'

const CLEANUPS: Readonly<Record<string, string>> = {
  none: 'Nothing is removed: what a document said before stays beside what it says now',
  incremental: 'Chunks that a loaded document no longer has are removed; documents that were not sent stay',
  full: 'Everything that this upsert does not contain is removed, also whole documents',
}

/** What is kept of documents that are loaded. */
export const DocumentsSection = () => (
  <>
    <OriginalsSwitch />
    <QuestionWatch />
    <Cleanups />
  </>
)

function OriginalsSwitch() {
  const { configuration } = useOpenFlow()
  const apiConfig = useStore(configuration, ({ now }) => now.apiConfig)
  return (
    <div className={forms.form}>
      <SwitchInput
        id="originals"
        input={{
          name: 'originals',
          label: 'Keep the files',
          type: 'boolean',
          optional: true,
          description:
            'Files of later upserts are stored as they were sent: they can be downloaded, and the pages of a PDF are shown.',
        }}
        value={apiConfig.originals === 'keep'}
        onChange={(value) =>
          configuration
            .getState()
            .change({ apiConfig: { ...apiConfig, originals: value === true ? 'keep' : 'discard' } })
        }
      />
    </div>
  )
}

const WATCHES: Readonly<Record<string, string>> = {
  off: 'The questions of the flow are asked when you say so',
  watch: 'They are asked after each upsert',
  block: 'They are asked after each upsert, and a publish that would fail one which passes is refused',
}

/** What the flow does with its questions by itself. */
function QuestionWatch() {
  const { configuration } = useOpenFlow()
  const apiConfig = useStore(configuration, ({ now }) => now.apiConfig)
  const value = Object.keys(WATCHES).find((one) => one === apiConfig.questions) ?? 'off'
  return (
    <div className={forms.form}>
      <FormField id="question-watch" label="Questions" about={WATCHES[value]}>
        <select
          id="question-watch"
          className={forms.control}
          value={value}
          aria-describedby="question-watch-about"
          onChange={(event) =>
            configuration.getState().change({ apiConfig: { ...apiConfig, questions: event.target.value } })
          }
        >
          <option value="off">Off</option>
          <option value="watch">Watch</option>
          <option value="block">Block</option>
        </select>
      </FormField>
    </div>
  )
}

/** The cleanup of each record manager. It is an input of the drawing, and can be undone there. */
function Cleanups() {
  const editor = useEditor()
  const graph = useEditorState((state) => state.graph)
  const managers = graph.nodes.flatMap((node) => {
    const cleanup = node.fields.find(({ name }) => name === 'cleanup')
    return cleanup ? [{ node, cleanup }] : []
  })
  if (managers.length === 0)
    return (
      <p className={styles.about}>
        This flow has no record manager: each upsert adds its chunks, and nothing is skipped or removed.
      </p>
    )
  return (
    <div className={forms.form}>
      {managers.map(({ node, cleanup }) => {
        const value = String(node.values.cleanup || cleanup.default || 'none')
        const id = `cleanup-${node.id}`
        return (
          <FormField
            key={node.id}
            id={id}
            label={managers.length > 1 ? `Cleanup of ${node.label}` : 'Cleanup'}
            about={CLEANUPS[value]}
          >
            <select
              id={id}
              className={forms.control}
              value={value}
              aria-describedby={`${id}-about`}
              onChange={(event) =>
                editor
                  .getState()
                  .run(
                    setInputs(
                      node,
                      { cleanup: event.target.value },
                      { path: 'cleanup', label: cleanup.label },
                    ),
                  )
              }
            >
              {(cleanup.options ?? []).map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </FormField>
        )
      })}
    </div>
  )
}
