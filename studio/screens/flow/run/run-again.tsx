import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { complain, tell } from '../../../parts/toast.tsx'
import { messageOf } from '../../../server/call.ts'
import { type AgainRequest, type Run, type RunSpan, runAgain } from '../../../server/runs.ts'
import styles from './run-panel.module.css'

const TOOLS: readonly (readonly [AgainRequest['tools'], string])[] = [
  ['recorded', 'have their recorded answers'],
  ['missing', 'are called where the record has no answer'],
  ['live', 'are called'],
]

type RunAgainProps = {
  run: Run
  span: RunSpan
  /** Called with the id of the new run. */
  onDone(id: string): void
}

/** Does an answer again from a step, with another input for it. What cannot be done again says why. */
export function RunAgain({ run, span, onDone }: RunAgainProps) {
  const queries = useQueryClient()
  const id = useId()
  const [input, setInput] = useState<string>()
  const [tools, setTools] = useState<AgainRequest['tools']>('recorded')
  const [isRunning, setRunning] = useState(false)
  if (span.notAgain !== undefined)
    return <p className={styles.quiet}>It cannot be done again from here: {span.notAgain}.</p>
  const before = recordedInput(span)
  const start = async () => {
    let changed: unknown = input
    if (span.kind === 'tool' && input !== undefined)
      try {
        changed = JSON.parse(input)
      } catch {
        complain('The run was not started', 'The input of a tool is a JSON object')
        return
      }
    setRunning(true)
    try {
      const { runId } = await runAgain(run.id, {
        ...{ from: span.id, tools },
        ...(input === undefined || input === before ? {} : { input: changed }),
      })
      tell('The run was done again')
      onDone(runId)
    } catch (failure) {
      complain('The run was not done again', messageOf(failure))
    }
    setRunning(false)
    void queries.invalidateQueries({ queryKey: ['runs', run.flow.id] })
  }
  return (
    <form
      className={styles.again}
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      {span.kind === 'node' ? null : (
        <>
          <label htmlFor={`${id}-input`}>
            {span.kind === 'tool' ? 'Input of the tool' : 'Another input of this step'}
          </label>
          <textarea
            id={`${id}-input`}
            rows={3}
            placeholder={before === '' ? 'As it was' : undefined}
            value={input ?? before}
            onChange={({ target }) => setInput(target.value === before ? undefined : target.value)}
          />
        </>
      )}
      <div className={styles.line}>
        <label htmlFor={`${id}-tools`}>From here on tools</label>
        <select
          id={`${id}-tools`}
          value={tools}
          onChange={({ target }) => setTools(target.value as AgainRequest['tools'])}
        >
          {TOOLS.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <Button type="submit" disabled={isRunning}>
          <RotateCcw aria-hidden="true" /> {isRunning ? 'Running…' : 'Run again from here'}
        </Button>
      </div>
    </form>
  )
}

/** The input that the record has of a step; what a model read is not kept. */
const recordedInput = ({ kind, input, query = '' }: RunSpan): string => {
  if (kind === 'search') return query
  return kind === 'tool' && input !== undefined ? JSON.stringify(input, null, 2) : ''
}
