import type { Group } from '../../command.ts'

export const flow: Group = {
  summary:
    'Lists, shows, makes, changes, drafts, copies, checks, imports, exports, removes and restores flows; keeps them as text in a folder',
  commands: {
    list: async () => (await import('./list.ts')).listFlowsCommand,
    show: async () => (await import('./show.ts')).showFlowCommand,
    new: async () => (await import('./new.ts')).newFlow,
    templates: async () => (await import('./templates.ts')).templates,
    set: async () => (await import('./set.ts')).set,
    clone: async () => (await import('./clone.ts')).clone,
    check: async () => (await import('./check.ts')).checkCommand,
    import: async () => (await import('./import.ts')).importFlow,
    draft: async () => (await import('./draft/draft.ts')).draft,
    export: async () => (await import('./export.ts')).exportCommand,
    pull: async () => (await import('./pull.ts')).pullCommand,
    push: async () => (await import('./push.ts')).pushCommand,
    diff: async () => (await import('./diff.ts')).diffCommand,
    rm: async () => (await import('./rm.ts')).removeFlowCommand,
    deleted: async () => (await import('./deleted.ts')).deletedFlowsCommand,
    restore: async () => (await import('./restore.ts')).restoreFlowCommand,
  },
}
