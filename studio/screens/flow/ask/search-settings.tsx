import { useQuery } from '@tanstack/react-query'
import { ListFilter, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { type FlowHits, metadataFields } from '../../../server/ask.ts'
import type { AskAddress } from './ask-address.ts'
import { FilterBuilder } from './filter-builder.tsx'
import styles from './search-settings.module.css'
import { LoadFailure } from '../../../parts/load-failure.tsx'

type Used = NonNullable<FlowHits['explanation']>['settings']

type SearchSettingsProps = {
  flowId: string
  address: AskAddress
  /** The settings of the last answer: those of the flow where the address sets none. */
  used: Used | undefined
  onChange(more: Partial<AskAddress>): void
}

const MODES = [
  { value: 'hybrid', label: 'Hybrid' },
  { value: 'vector', label: 'Meaning' },
  { value: 'keyword', label: 'Words' },
] as const

/** How the search is done. A setting that is not chosen is that of the flow. */
export function SearchSettings({ flowId, address, used, onChange }: SearchSettingsProps) {
  const [isFiltering, setFiltering] = useState(address.filter !== undefined)
  const fields = useQuery({
    queryKey: ['metadata-fields', flowId],
    queryFn: () => metadataFields(flowId),
    enabled: isFiltering,
  })
  const mode = address.mode ?? used?.mode ?? 'hybrid'
  const { mode: _m, weight: _w, topK: _k, rerank: _r, rescore: _s, spelling: _p, filter: _f } = address
  const isChanged = [_m, _w, _k, _r, _s, _p, _f].some((value) => value !== undefined)
  return (
    <div className={styles.settings}>
      <div className={styles.row}>
        <fieldset className={styles.modes} aria-label="Search by">
          {MODES.map(({ value, label }) => (
            <label key={value} className={styles.mode}>
              <input
                type="radio"
                name="mode"
                checked={mode === value}
                onChange={() => onChange({ mode: value })}
              />
              {label}
            </label>
          ))}
        </fieldset>
        {mode === 'hybrid' ? (
          <WeightSlider
            weight={address.weight ?? used?.weight ?? 0.5}
            onWeight={(weight) => onChange({ weight })}
          />
        ) : null}
        <label className={styles.setting}>
          Chunks
          <input
            type="number"
            min={1}
            max={1000}
            value={address.topK ?? used?.topK ?? 4}
            onChange={(event) => {
              const topK = Math.round(event.target.valueAsNumber)
              if (topK >= 1 && topK <= 1000) onChange({ topK })
            }}
          />
        </label>
        <StepSwitch label="Rerank" step="rerank" used={Boolean(used?.reranker)} {...{ address, onChange }} />
        <StepSwitch label="Rescore" step="rescore" used={used?.rescore === true} {...{ address, onChange }} />
        <StepSwitch label="Other spellings" step="spelling" used={false} {...{ address, onChange }} />
        <Button look="quiet" aria-expanded={isFiltering} onClick={() => setFiltering(!isFiltering)}>
          <ListFilter aria-hidden="true" /> Filter{address.filter === undefined ? '' : ' (on)'}
        </Button>
        {isChanged ? (
          <Button
            look="quiet"
            onClick={() => {
              onChange(AS_THE_FLOW)
              setFiltering(false)
            }}
          >
            <X aria-hidden="true" /> As the flow
          </Button>
        ) : null}
      </div>
      <LoadFailure
        error={fields.error}
        onAgain={fields.refetch}
        what="The metadata fields cannot be listed"
      />
      {isFiltering ? (
        <FilterBuilder
          fields={fields.data ?? []}
          filter={address.filter}
          onFilter={(filter) => onChange({ filter })}
        />
      ) : null}
    </div>
  )
}

const AS_THE_FLOW = {
  mode: undefined,
  weight: undefined,
  topK: undefined,
  rerank: undefined,
  rescore: undefined,
  spelling: undefined,
  filter: undefined,
}

type StepSwitchProps = Pick<SearchSettingsProps, 'address' | 'onChange'> & {
  label: string
  step: 'rerank' | 'rescore' | 'spelling'
  /** Whether the last answer used this step, and it can be turned off here. */
  used: boolean
}

/** Turns a step of the search off, and on again as the flow has it. */
function StepSwitch({ label, step, used, address, onChange }: StepSwitchProps) {
  const isOff = address[step] === false
  if (!used && !isOff) return null
  return (
    <label className={styles.setting}>
      <input
        type="checkbox"
        checked={!isOff}
        onChange={(event) => onChange({ [step]: event.target.checked ? undefined : false })}
      />
      {label}
    </label>
  )
}

/** How long the slider rests before the search is done again, in milliseconds. */
const REST_MS = 200

/** From words alone to meaning alone. */
function WeightSlider({ weight, onWeight }: { weight: number; onWeight(weight: number): void }) {
  const [shown, setShown] = useState(weight)
  useEffect(() => setShown(weight), [weight])
  useEffect(() => {
    if (shown === weight) return
    const timer = setTimeout(() => onWeight(shown), REST_MS)
    return () => clearTimeout(timer)
  })
  return (
    <label className={styles.setting}>
      <span>Words</span>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={shown}
        aria-label="Weight of meaning against words"
        aria-valuetext={`${Math.round(shown * 100)} percent meaning`}
        onChange={(event) => setShown(event.target.valueAsNumber)}
      />
      <span>Meaning</span>
      <output className={styles.weight}>{shown.toFixed(2)}</output>
    </label>
  )
}
