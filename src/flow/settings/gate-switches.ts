import { isObject, type JsonObject } from '../../kit/json.ts'
import type { Target } from './targets.ts'

/** Allows and forbids overrides of a flow, `apiConfig.overrideConfig`, input by input. */
export type GateSwitches = {
  /** Whether requests may override anything at all. */
  open(): boolean
  setOpen(open: boolean): void
  isOn(target: Target, name: string): boolean
  /**
   * Allows or forbids one input of a node. If no override was allowed before, all entries of the lists are disabled first,
   * so that only this input becomes allowed.
   */
  set(target: Target, name: string, on: boolean): void
  /** The names that any list enables. */
  names(): string[]
}

type Row = JsonObject & { name: string; enabled: boolean }

/** @param apiConfig the configuration of the flow; it is changed in place */
export function gateSwitches(apiConfig: JsonObject): GateSwitches {
  const config = objectAt(apiConfig, 'overrideConfig')
  const lists = objectAt(config, 'nodes')

  const rowsOf = (key: string): Row[] =>
    (Array.isArray(lists[key]) ? lists[key] : []).filter(
      (row): row is Row => isObject(row) && typeof row.name === 'string',
    )
  const enabled = (key: string, name: string) =>
    rowsOf(key).some((row) => row.name === name && row.enabled === true)
  const keysOf = ({ label, nodeId }: Target) => [label, nodeId, '*']

  function write(key: string, name: string, on: boolean): void {
    const rows = rowsOf(key)
    const row = rows.find((one) => one.name === name)
    if (row) row.enabled = on
    else if (on) rows.push({ label: name, name, type: 'string', enabled: true })
    lists[key] = rows
  }

  function closeAll(): void {
    for (const key of Object.keys(lists)) for (const row of rowsOf(key)) row.enabled = false
  }

  return {
    open: () => config.status === true,
    setOpen(open) {
      config.status = open
    },
    isOn: (target, name) => config.status === true && keysOf(target).some((key) => enabled(key, name)),
    set(target, name, on) {
      if (on && config.status !== true) {
        closeAll()
        config.status = true
      }
      if (on) write(target.label, name, true)
      else for (const key of keysOf(target)) if (enabled(key, name)) write(key, name, false)
    },
    names: () =>
      config.status === true
        ? [
            ...new Set(
              Object.keys(lists).flatMap((key) =>
                rowsOf(key)
                  .filter((row) => row.enabled === true)
                  .map((row) => row.name),
              ),
            ),
          ]
        : [],
  }
}

function objectAt(holder: JsonObject, key: string): JsonObject {
  if (!isObject(holder[key])) holder[key] = {}
  return holder[key] as JsonObject
}
