import type { FileType } from '../contract/file-parser.ts'
import { FILE_TYPE_FACTS } from '../formats/file-types.ts'
import type { Json } from '../kit/json.ts'
import { canonicalJson, isObject } from '../kit/json.ts'
import type { Catalog } from './catalog.ts'
import { NOT_SHOWN } from './setting-change.ts'
import { type LoadSettings, type NodeSettings, type SettingValue, settingValue } from './load-settings.ts'

/** A setting of a flow that differs from that with which sources were loaded. `input` is null where the node itself differs. */
export type SettingChange = {
  /** The id of the node in the flow. */
  nodeId: string
  input: string | null
  label: string
  /** {@link NOT_SHOWN} for what is long, or an address. */
  from: Json
  to: Json
}

/**
 * What is stored of a load. `finds`: the loader found the document itself. `reader`: the reader of its file, and the revision;
 * `unread`, only where it could not read pages: the variant of the parser, null for none.
 */
export type StoredLoad = LoadSettings & {
  finds: boolean
  reader?: { type: FileType; revision: number; unread?: string | null } | undefined
}

/** What {@link StoredLoad} has as `unread`, as the parser would say it now. */
export type VariantNow = { unread: string | null } | undefined

/**
 * What differs between the settings of a load and those that the flow has now; undefined where the flow has no loader for
 * it any more, so that loading again would change nothing. What the request of the load has set is no difference.
 */
export function compareLoads(
  catalog: Catalog,
  loaded: StoredLoad,
  now: readonly LoadSettings[],
  variantNow?: VariantNow,
): SettingChange[] | undefined {
  const changes = settingChanges(catalog, loaded, now)
  if (!changes || !loaded.reader) return changes
  const { type, revision, unread } = loaded.reader
  const here = { nodeId: loaded.loader.id, input: null }
  const today = FILE_TYPE_FACTS[type]?.revision
  if (today !== undefined && today !== revision)
    changes.push({ ...here, label: `Reader of ${type}`, from: revision, to: today })
  if (unread !== undefined && variantNow && variantNow.unread !== unread)
    changes.push({ ...here, label: 'Reader of pages without text', from: unread, to: variantNow.unread })
  return changes
}

function settingChanges(
  catalog: Catalog,
  loaded: StoredLoad,
  now: readonly LoadSettings[],
): SettingChange[] | undefined {
  const same = now.find(({ loader }) => loader.id === loaded.loader.id && loader.name === loaded.loader.name)
  if (same) return changesOf(catalog, loaded, same)
  // The node was drawn again, or its documents are those of a copy of the flow.
  const others = now
    .filter(({ loader }) => loader.name === loaded.loader.name)
    .map((one) => changesOf(catalog, loaded, one))
  const closest = others.toSorted((a, b) => a.length - b.length)[0]
  if (closest || loaded.finds || !now[0]) return closest
  const [from, to] = [loaded.loader.name, now[0].loader.name].map(
    (name) => catalog.get(name)?.label ?? name,
  ) as [string, string]
  return [{ nodeId: now[0].loader.id, input: null, label: 'Document Loader', from, to }]
}

const changesOf = (catalog: Catalog, loaded: LoadSettings, now: LoadSettings): SettingChange[] => [
  ...inputChanges(catalog, loaded.loader, now.loader),
  ...splitterChanges(catalog, loaded, now),
]

function splitterChanges(catalog: Catalog, loaded: LoadSettings, now: LoadSettings): SettingChange[] {
  if (loaded.splitter && now.splitter && loaded.splitter.name === now.splitter.name)
    return inputChanges(catalog, loaded.splitter, now.splitter)
  if (!loaded.splitter && !now.splitter) return []
  const labelOf = (node: NodeSettings | null) => (node ? (catalog.get(node.name)?.label ?? node.name) : null)
  return [
    {
      nodeId: now.splitter?.id ?? now.loader.id,
      input: null,
      label: 'Text Splitter',
      from: labelOf(loaded.splitter),
      to: labelOf(now.splitter),
    },
  ]
}

function inputChanges(catalog: Catalog, loaded: NodeSettings, now: NodeSettings): SettingChange[] {
  const fields = catalog.get(now.name)?.fields ?? {}
  const changes: SettingChange[] = []
  for (const [input, to] of Object.entries(now.values)) {
    const field = fields[input]!
    if (loaded.overridden?.includes(input)) continue
    // An input that the program did not have at the time of the load worked as its default does.
    const from = Object.hasOwn(loaded.values, input)
      ? loaded.values[input]!
      : settingValue(field, field.fallback)
    if (canonicalJson(from as Json) === canonicalJson(to as Json)) continue
    changes.push({ nodeId: now.id, input, label: field.label, from: shown(from), to: shown(to) })
  }
  return changes
}

const shown = (value: SettingValue): Json =>
  isObject(value) && typeof value.hidden === 'string' ? NOT_SHOWN : (value as Json)
