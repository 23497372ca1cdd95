import { useEffect, useId, useRef, useState } from 'react'
import { FormField } from '../../forms/form-field.tsx'
import forms from '../../forms/forms.module.css'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { messageOf } from '../../server/call.ts'
import { type CustomToolResult, tryTool } from '../../server/custom-tools.ts'
import styles from './tools.module.css'

type Tried = CustomToolResult | { refused: string }

/** Runs the tool as it is in the form, with an input as a model would write it. */
export function TryTool({
  tool,
  sample,
}: {
  tool: { name: string; schema: string; func: string }
  /** An input that fits the schema, until somebody types one. */
  sample: string
}) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [tried, setTried] = useState<Tried>()
  const [busy, setBusy] = useState(false)
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (tried) shown.current?.scrollIntoView({ block: 'nearest' })
  }, [tried])
  const text = typed ?? sample
  const input = readInput(text)

  const run = async () => {
    if (!input) return
    setBusy(true)
    try {
      setTried(await tryTool({ ...tool, name: tool.name.trim() || 'tool', input }))
    } catch (error) {
      setTried({ refused: messageOf(error) })
    }
    setBusy(false)
  }

  return (
    <section className={styles.try} aria-label="Try it">
      <FormField
        id={`${id}-input`}
        label="Try it with this input"
        problem={input ? undefined : 'It is not a JSON object'}
      >
        <textarea
          id={`${id}-input`}
          className={`${forms.control} ${forms.code}`}
          rows={Math.min(6, text.split('\n').length)}
          value={text}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </FormField>
      <div className={styles.tryRow}>
        <Button onClick={() => void run()} disabled={busy || !input || tool.func.trim() === ''}>
          {busy ? 'Running…' : 'Run'}
        </Button>
        {tried && 'timeTaken' in tried ? (
          <span className={forms.about}>
            {tried.timeTaken} ms{tried.calls > 0 ? `, ${tried.calls} HTTP calls` : ''}
          </span>
        ) : null}
      </div>
      <div ref={shown}>{tried ? <Result tried={tried} /> : null}</div>
    </section>
  )
}

function Result({ tried }: { tried: Tried }) {
  const failure = 'refused' in tried ? tried.refused : tried.error
  if (failure !== null) return <Note kind="failure">{failure}</Note>
  if ('refused' in tried) return null
  return (
    <output className={styles.result} aria-label="Result">
      {tried.output === '' ? 'an empty text' : tried.output}
    </output>
  )
}

function readInput(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}
