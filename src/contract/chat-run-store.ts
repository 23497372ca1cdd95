import type { Doorbell } from './doorbell.ts'

/** A conversation whose answers are stopped. `owner` is null for an open flow: every caller with the chat id may stop its answers. */
export type ChatRunKey = { flowId: string; chatId: string; owner: string | null }

/** An answer in progress. */
export type ChatRun = ChatRunKey & { id: string }

/** The answers in progress on all members of a database. The rows of a member that is gone stay for an hour at most. */
export type ChatRunStore = {
  begin(run: ChatRun): Promise<void>
  end(id: string): Promise<void>
  /**
   * Marks the answers of a conversation: their members stop them.
   *
   * @param anyOwner also those of other owners
   */
  askToStop(key: ChatRunKey, anyOwner: boolean): Promise<void>
  /**
   * Says that these answers are still in progress; `FlowExecutionStore.endLost` ends the executions of answers that were silent for
   * ten seconds. Returns those of them that must stop: they were marked, or their row is gone.
   */
  beat(ids: readonly string[]): Promise<string[]>
}

/** What the members of a database share about answers in progress. */
export type SharedChatRuns = { store: ChatRunStore; doorbell: Doorbell }
