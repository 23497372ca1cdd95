import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type FlowFile, readFlowFile } from '../../drawing/flow-file.ts'
import { isDirty } from '../../drawing/history.ts'
import { placeMissing } from '../../drawing/layout.ts'
import { complain, endWarning, tell, warn } from '../../parts/toast.tsx'
import { messageOf, onServerEvent, ServerFailure } from '../../server/call.ts'
import type { DraftState } from '../../server/drafts.ts'
import {
  allowUploads,
  changeFlow,
  copyFlow,
  type Flow,
  type FlowChange,
  getFlow,
} from '../../server/flows.ts'
import {
  type ConfigurationDraft,
  type ConfigurationDraftStore,
  configurationPatch,
  hasConfigurationChanges,
} from './configuration/configuration-draft.ts'
import { type Conflict, type OpenDraft, useFlowDraft } from './draft/use-flow-draft.ts'
import { useEditor } from './editor.ts'

/** Saving the open flow. */
export type SaveFlow = {
  name: string
  /** The number of the version that the server has, as far as this tab knows. */
  revision: number
  isSaving: boolean
  /** Whether the drawing or the configuration has changes that are not saved, as of now. */
  hasChanges(): boolean
  /**
   * Stores drawing and configuration; true once the server has it. Nothing is sent where nothing changed. With `draft.isOn` the drawing
   * is stored as the draft, and the configuration is live at once.
   */
  save(): Promise<boolean>
  /** Stores the drawing as the draft, whatever the setting says. */
  saveAsDraft(): Promise<boolean>
  draft: OpenDraft
  /** Makes the draft live, after what is not saved of it was saved; true once it is. */
  publish(): Promise<boolean>
  /** Gives the draft up, and shows the live drawing. Undo brings back the drawing from before. */
  discard(): Promise<void>
  /** False where the flow does not have the name: what was typed stays. */
  rename(name: string): Promise<boolean>
  /** What was saved elsewhere since it was opened here; saving waits for a decision. */
  conflict: Conflict | undefined
  /** Shows how the draft and the live drawing can be merged. */
  merge(): void
  /**
   * Goes on from the version of the others with a merged drawing, and saves it. Undo brings back the drawing from before.
   *
   * @param theirs the newest version of the server, and `saved` its drawing
   */
  saveMerged(theirs: Flow, saved: FlowFile, merged: FlowFile): Promise<void>
  /** The same for a draft. @param base the revision of which the merged drawing is made */
  saveMergedDraft(
    theirs: { state: DraftState; base: number },
    saved: FlowFile,
    merged: FlowFile,
  ): Promise<void>
  /** Shows a version that the server has made the newest one. */
  adopt(stored: Flow, file: FlowFile, title: string): void
  /** Stores the drawing as a new flow, and gives its slug. */
  saveCopy(): Promise<string | undefined>
  putOff(): void
  /** Lets requests send files to the saved flow. */
  allowFiles(): Promise<void>
}

export function useSaveFlow(
  flow: Flow,
  opened: DraftState,
  configuration: ConfigurationDraftStore,
): SaveFlow {
  const editor = useEditor()
  const queries = useQueryClient()
  const based = useRef(flow.revision)
  const [revision, setRevision] = useState(flow.revision)
  const [name, setName] = useState(flow.name)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()
  const draft = useFlowDraft(flow, { opened, based: () => based.current, onConflict: setConflict })
  /** A save got no answer; it is repeated once the server answers. */
  const waiting = useRef(false)
  /** A name that was refused because of a newer version; it is sent with the merged drawing. */
  const refusedName = useRef<string>(undefined)

  function isNow(stored: number): void {
    based.current = stored
    setRevision(stored)
  }

  const announce = (text: string) => editor.getState().announce(text)

  async function send(change: FlowChange): Promise<boolean> {
    setSaving(true)
    try {
      const before = configuration.getState()
      const stored = await changeFlow(flow.id, change, based.current)
      configuration.getState().takeOver(stored, sentConfiguration(before, change))
      sayWhatFails(stored.warning)
      isNow(stored.revision)
      setName(stored.name)
      refusedName.current = undefined
      void queries.invalidateQueries({ queryKey: ['flows'] })
      void queries.invalidateQueries({ queryKey: ['revisions', flow.id] })
      return true
    } catch (error) {
      if (error instanceof ServerFailure && error.status === 412) {
        // With a draft only settings are sent here: those of others are taken over, and these are sent again.
        if (draft.isOn && change.flowData === undefined && change.name === undefined) return await sendAgain()
        if (change.name !== undefined) refusedName.current = change.name
        setConflict('flow')
      } else sayNotSaved(error, change.name === undefined)
      return false
    } finally {
      setSaving(false)
    }
  }

  function sayNotSaved(error: unknown, repeat: boolean): void {
    if (error instanceof ServerFailure && error.status === 0 && repeat) {
      waiting.current = true
      announce('The server does not answer. The flow is saved once it does')
    } else if (!(error instanceof ServerFailure && error.status === 401))
      complain(`${name} was not saved`, messageOf(error))
  }

  async function sendAgain(): Promise<boolean> {
    const theirs = await getFlow(flow.id).catch((error: unknown) => sayNotSaved(error, true))
    if (!theirs) return false
    isNow(theirs.revision)
    configuration.getState().takeOver(theirs)
    const patch = configurationPatch(configuration.getState())
    return Object.keys(patch).length === 0 || send(patch)
  }

  /** @param base the revision of which the drawing was made, after a merge */
  async function sendDraft(file: FlowFile, base?: number): Promise<boolean> {
    setSaving(true)
    try {
      const stored = await draft.save(textOf(file), base)
      if (stored) {
        editor.getState().markSaved(file)
        announce('The draft is saved')
      }
      return stored
    } catch (error) {
      sayNotSaved(error, true)
      return false
    } finally {
      setSaving(false)
    }
  }

  /** The open drawing becomes `shown`, and what the server has is `saved`. */
  function adopt(stored: Flow, saved: FlowFile, shown: FlowFile, title: string): void {
    const { run, markSaved } = editor.getState()
    run({ title, apply: () => shown })
    // Settings of others stay where they were not changed here.
    configuration.getState().takeOver(stored)
    markSaved(saved)
    // markSaved() says that the drawing is saved; here it may differ from what the server has.
    announce(`Done: ${title}`)
    isNow(stored.revision)
    setName(stored.name)
    void queries.invalidateQueries({ queryKey: ['flows'] })
    void queries.invalidateQueries({ queryKey: ['revisions', flow.id] })
  }

  async function save(): Promise<boolean> {
    const { history, markSaved } = editor.getState()
    if (!hasChanges()) return true
    const { file } = history
    if (draft.isOn) {
      if (isDirty(history) && !(await sendDraft(file))) return false
      const patch = configurationPatch(configuration.getState())
      return Object.keys(patch).length === 0 || send(patch)
    }
    const stored = await send({
      ...(isDirty(history) ? { flowData: textOf(file) } : {}),
      ...configurationPatch(configuration.getState()),
    })
    if (stored) markSaved(file)
    return stored
  }

  const hasChanges = () =>
    isDirty(editor.getState().history) || hasConfigurationChanges(configuration.getState())

  const saveAgain = useEffectEvent(() => {
    if (!waiting.current) return
    waiting.current = false
    void save()
  })
  useEffect(
    () =>
      onServerEvent((event) => {
        // After the request that got this answer.
        if (event === 'answer') setTimeout(saveAgain)
      }),
    [],
  )

  return {
    name,
    revision,
    isSaving,
    hasChanges,
    save,
    conflict,
    merge: () => setConflict('live'),
    draft,
    async rename(next) {
      return next.trim() === '' || next === name || (await send({ name: next.trim() }))
    },
    async saveMerged(theirs, saved, merged) {
      setConflict(undefined)
      adopt(theirs, saved, merged, `merge with revision ${theirs.revision}`)
      const { history, markSaved } = editor.getState()
      const next = refusedName.current
      const change = {
        ...(isDirty(history) ? { flowData: textOf(history.file) } : {}),
        ...(next === undefined ? {} : { name: next }),
        ...configurationPatch(configuration.getState()),
      }
      if (Object.keys(change).length === 0 || (await send(change))) markSaved(history.file)
    },
    saveAsDraft: () => sendDraft(editor.getState().history.file),
    async saveMergedDraft({ state, base }, saved, merged) {
      setConflict(undefined)
      const { run, markSaved } = editor.getState()
      run({
        title: `merge with ${state.draft ? 'the other draft' : 'the live drawing'}`,
        apply: () => merged,
      })
      markSaved(saved)
      draft.take(state)
      await sendDraft(merged, base)
    },
    async publish() {
      if (hasChanges() && !(await save())) return false
      const stored = await draft.publish()
      if (!stored) return false
      isNow(stored.revision)
      void queries.invalidateQueries({ queryKey: ['flows'] })
      void queries.invalidateQueries({ queryKey: ['revisions', flow.id] })
      void queries.invalidateQueries({ queryKey: ['flow-settings', flow.id] })
      return true
    },
    async discard() {
      if (!(await draft.discard())) return
      const live = await getFlow(flow.id).catch((error: unknown) =>
        complain('The live drawing cannot be shown: load this page again', messageOf(error)),
      )
      if (!live) return
      const file = placeMissing(readFlowFile(live.flowData), editor.getState().kinds)
      adopt(live, file, file, 'discard the draft')
    },
    adopt(stored, file, title) {
      // The open drawing is that of the draft: it stays, and the server says that it is stale now.
      if (draft.state.draft) {
        isNow(stored.revision)
        void queries.invalidateQueries({ queryKey: ['revisions', flow.id] })
        void draft.refresh()
      } else adopt(stored, file, file, title)
    },
    async saveCopy() {
      setConflict(undefined)
      const { history, markSaved } = editor.getState()
      try {
        const copy = await copyFlow(flow.id, {
          ...copiedSettings(configuration.getState()),
          name: `Copy of ${name}`.slice(0, 200),
          flowData: textOf(history.file),
        })
        markSaved(history.file)
        void queries.invalidateQueries({ queryKey: ['flows'] })
        tell(`${copy.name} was made`)
        return copy.slug
      } catch (error) {
        complain('The copy was not made', messageOf(error))
        return undefined
      }
    },
    putOff: () => setConflict(undefined),
    async allowFiles() {
      try {
        const before = based.current
        const stored = await allowUploads(flow.id)
        // Where others saved meanwhile, the next save must find out.
        if (stored.revision === before + 1) isNow(stored.revision)
        configuration.getState().takeOver(stored)
        await queries.invalidateQueries({ queryKey: ['flow-settings', flow.id] })
      } catch (error) {
        complain('The flow still takes no files', messageOf(error))
      }
    },
  }
}

/** Shows "Saved, but upserts will fail: …". */
function sayWhatFails(warning: string | null): void {
  if (warning === null) {
    endWarning()
    return
  }
  const end = warning.indexOf(': ')
  warn(warning.slice(0, end), warning.slice(end + 2))
}

const textOf = (file: FlowFile): string => JSON.stringify(file)

/** A copy has the settings of this tab; its key is that of the stored flow, unless it was changed here. */
const copiedSettings = (draft: ConfigurationDraft): FlowChange => {
  const { apiConfig, chatbotConfig } = draft.now
  return { ...configurationPatch(draft), apiConfig, chatbotConfig }
}

/** What the server has of the configuration after a change: that of this tab only if it was sent. */
const sentConfiguration = ({ stored, now }: ConfigurationDraft, change: FlowChange) => ({
  apiConfig: change.apiConfig === undefined ? stored.apiConfig : now.apiConfig,
  chatbotConfig: change.chatbotConfig === undefined ? stored.chatbotConfig : now.chatbotConfig,
  apikeyid: change.apikeyid === undefined ? stored.apikeyid : now.apikeyid,
  isPublic: change.isPublic === undefined ? stored.isPublic : now.isPublic,
})
