import type { Group } from '../../../command.ts'

export const draft: Group = {
  summary: 'Shows, saves, previews, publishes and removes the draft of a flow',
  commands: {
    show: async () => (await import('./show.ts')).showDraftCommand,
    save: async () => (await import('./save.ts')).saveDraftCommand,
    preview: async () => (await import('./preview.ts')).previewDraftCommand,
    publish: async () => (await import('./publish.ts')).publishDraftCommand,
    rm: async () => (await import('./rm.ts')).removeDraftCommand,
  },
}
