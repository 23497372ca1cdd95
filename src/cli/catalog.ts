import type { Group } from './command.ts'

/** All commands. The file of a command is loaded when the command is called. */
export const CATALOG: Group = {
  summary: 'Loads documents into vector stores through chat flows, and answers questions from them',
  commands: {
    start: async () => (await import('./commands/start.ts')).start,
    events: async () => (await import('./commands/events.ts')).events,
    demo: async () => (await import('./commands/demo.ts')).demo,
    upsert: async () => (await import('./commands/upsert.ts')).upsert,
    refresh: async () => (await import('./commands/refresh.ts')).refreshCommand,
    reindex: async () => (await import('./commands/reindex.ts')).reindexCommand,
    repair: async () => (await import('./commands/repair.ts')).repairCommand,
    query: async () => (await import('./commands/query.ts')).query,
    ask: async () => (await import('./commands/ask.ts')).ask,
    eval: async () => (await import('./commands/eval.ts')).evaluateCommand,
    flow: async () => (await import('./commands/flow/flow.ts')).flow,
    source: async () => (await import('./commands/source/source.ts')).source,
    credential: async () => (await import('./commands/credential/credential.ts')).credential,
    tool: async () => (await import('./commands/tool/tool.ts')).tool,
    engine: async () => (await import('./commands/engine/engine.ts')).engine,
    key: async () => (await import('./commands/key/key.ts')).key,
    audit: async () => (await import('./commands/audit.ts')).audit,
    job: async () => (await import('./commands/job/job.ts')).job,
    'sign-in': async () => (await import('./commands/sign-in.ts')).signIn,
    move: async () => (await import('./commands/move.ts')).move,
    secret: async () => (await import('./commands/secret/secret.ts')).secret,
    verify: async () => (await import('./commands/verify.ts')).verify,
    backup: async () => (await import('./commands/backup.ts')).backup,
    restore: async () => (await import('./commands/restore.ts')).restore,
    rescue: async () => (await import('./commands/rescue.ts')).rescue,
    config: async () => (await import('./commands/config.ts')).config,
  },
}
